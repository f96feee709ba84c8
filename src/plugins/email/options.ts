// `plugins.email.config` -> options with every default filled in. The file's schema has checked the types.

import { recordOf } from '../../util/is-record.ts'
import type { PluginSettings } from '../plugin.ts'

export interface EmailOptions {
  readonly provider: 'log' | 'smtp'
  readonly defaultFrom: string
  readonly defaultReplyTo: string | undefined
  /** The provider's own settings, as written. */
  readonly providerOptions: Readonly<Record<string, unknown>>
}

export function parseOptions({ config }: PluginSettings): EmailOptions {
  const settings = recordOf(config['settings'])
  return {
    provider: config['provider'] === 'smtp' ? 'smtp' : 'log',
    defaultFrom: textOf(settings['defaultFrom']) ?? 'no-reply@localhost',
    defaultReplyTo: textOf(settings['defaultReplyTo']),
    providerOptions: recordOf(config['providerOptions']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
