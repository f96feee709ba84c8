// Checks the limits of lists: the default page size must not exceed the largest one allowed.

import { type Fault, settingsOf } from '../../../config/plugin-rule.ts'
import type { RawConfig } from '../../../config/raw-config.ts'

export function checkLimits(raw: RawConfig, fault: Fault): void {
  const { defaultLimit, maxLimit = -1, amountLimit = -1 } = settingsOf(raw, 'graphql') ?? {}
  if (typeof defaultLimit !== 'number') return
  for (const [name, most] of Object.entries({ maxLimit, amountLimit })) {
    if (typeof most !== 'number' || most < 0 || defaultLimit <= most) continue
    const path = ['plugins', 'graphql', 'config', 'defaultLimit']
    const message = `"defaultLimit" (${defaultLimit}) is above "${name}" (${most})`
    fault('CFG055', path, message, 'lower the one or raise the other')
  }
}
