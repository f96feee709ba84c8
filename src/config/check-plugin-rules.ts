// Settings of plugins that cannot work together, or not with the plugins that are switched on.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { isRecord } from '../util/is-record.ts'
import type { RawConfig, RawMap } from './raw-config.ts'

export type Fault = (
  code: string,
  path: DiagnosticPath,
  message: string,
  help: string,
  at?: 'key' | 'value',
) => void

export function checkPluginRules({ plugins = {}, server = {} }: RawConfig, fault: Fault): void {
  checkConfirmation(plugins, server.environment === 'production', fault)
  checkGraphqlLimits(plugins, fault)
}

type Plugins = NonNullable<RawConfig['plugins']>

/** Undefined: the file switches it off, or does not name it. */
function configOf(plugins: Plugins, name: string): RawMap | undefined {
  const plugin = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  if (plugin === undefined || plugin === false) return undefined
  if (plugin === true) return {}
  return plugin.enabled === false ? undefined : (plugin.config ?? {})
}

/** Whoever registers waits for a mail: without one nobody could ever log in. */
function checkConfirmation(plugins: Plugins, production: boolean, fault: Fault): void {
  const advanced = configOf(plugins, 'users-permissions')?.['advanced']
  if (!isRecord(advanced) || advanced['email_confirmation'] !== true) return
  const path = ['plugins', 'users-permissions', 'config', 'advanced', 'email_confirmation']
  const email = configOf(plugins, 'email')
  if (email === undefined) {
    const help = 'enable it: "email: { config: { provider: smtp, providerOptions: { host: … } } }"'
    fault('CFG060', path, 'addresses are confirmed by mail, and the email plugin is switched off', help)
  } else if (production && email['provider'] !== 'smtp') {
    const help = 'set "provider: smtp" in the config of the email plugin'
    fault(
      'CFG060',
      path,
      'addresses are confirmed by mail, and in production the provider "log" sends none',
      help,
    )
  }
}

/** What is asked for without a number must be what may be asked for with one. */
function checkGraphqlLimits(plugins: Plugins, fault: Fault): void {
  const { defaultLimit, maxLimit = -1, amountLimit = -1 } = configOf(plugins, 'graphql') ?? {}
  if (typeof defaultLimit !== 'number') return
  for (const [name, most] of Object.entries({ maxLimit, amountLimit })) {
    if (typeof most !== 'number' || most < 0 || defaultLimit <= most) continue
    const path = ['plugins', 'graphql', 'config', 'defaultLimit']
    const message = `"defaultLimit" (${defaultLimit}) is above "${name}" (${most})`
    fault('CFG055', path, message, 'lower the one or raise the other')
  }
}
