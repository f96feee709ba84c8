// Parses `plugins.email.config` and fills in defaults.

import { buildRecord } from '../../lib/is-record.ts'
import type { PluginSettings } from '../plugin.ts'

export interface EmailOptions {
  readonly provider: 'log' | 'smtp'
  readonly defaultFrom: string
  readonly defaultReplyTo: string | undefined
  readonly providerOptions: Readonly<Record<string, unknown>>
}

export function parseOptions({ config }: PluginSettings): EmailOptions {
  const settings = buildRecord(config['settings'])
  return {
    provider: config['provider'] === 'smtp' ? 'smtp' : 'log',
    defaultFrom: formatText(settings['defaultFrom']) ?? 'no-reply@localhost',
    defaultReplyTo: formatText(settings['defaultReplyTo']),
    providerOptions: buildRecord(config['providerOptions']),
  }
}

function formatText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
