// Checks that the place for files suits the database, and that all processes can reach it.

import type { Fault } from '../../config/plugin-rule.ts'
import type { RawConfig } from '../../config/raw-config.ts'

const PROVIDER = ['plugins', 'upload', 'config', 'provider']

export function checkSettings(raw: RawConfig, fault: Fault): void {
  const { upload } = raw.plugins ?? {}
  if (typeof upload !== 'object' || upload.config?.['provider'] !== 'memory') return
  const { workers = 1 } = raw.server ?? {}
  if (workers > 1) {
    const message = `${workers} workers need a place for files that they can share`
    fault('CFG052', PROVIDER, message, 'set "provider: local", or one worker')
  }
  if (upload.enabled === false || (raw.database?.client ?? 'memory') === 'memory') return
  const message = 'uploaded files are gone after a restart, and the entries that show them stay'
  fault('CFG062', PROVIDER, message, 'set "provider: local", or s3', 'value', 'warning')
}
