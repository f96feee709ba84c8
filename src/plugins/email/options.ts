// `plugins.email.config` -> options with every default filled in.

import type { PluginSettings } from '../plugin.ts'

export interface EmailOptions {
  readonly provider: 'log' | 'smtp'
  readonly defaultFrom: string
  readonly defaultReplyTo: string | undefined
  /** The provider's own settings, as written. */
  readonly providerOptions: Readonly<Record<string, unknown>>
}

const PROVIDERS: readonly unknown[] = ['log', 'smtp']

export function parseOptions({ config, report }: PluginSettings): EmailOptions {
  const settings = record(config['settings'])
  const provider = config['provider'] ?? 'log'
  if (!PROVIDERS.includes(provider)) {
    report({
      code: 'PLG003',
      severity: 'error',
      path: ['plugins', 'email', 'config', 'provider'],
      message: `there is no provider of mail called ${JSON.stringify(provider)}`,
      help: 'write "log" (development) or "smtp"',
    })
  }
  return {
    provider: provider === 'smtp' ? 'smtp' : 'log',
    defaultFrom: textOf(settings['defaultFrom']) ?? 'no-reply@localhost',
    defaultReplyTo: textOf(settings['defaultReplyTo']),
    providerOptions: record(config['providerOptions']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
