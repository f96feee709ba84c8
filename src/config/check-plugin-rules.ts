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
  severity?: 'error' | 'warning',
) => void

export function checkPluginRules(
  { plugins = {}, server = {}, auth = {}, database = {} }: RawConfig,
  fault: Fault,
): void {
  checkRoles(plugins, Object.keys(auth.roles ?? {}), fault)
  checkFilesLast(plugins, database.client ?? 'memory', fault)
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

function checkRoles(plugins: Plugins, roles: readonly string[], fault: Fault): void {
  const off =
    Object.hasOwn(plugins, 'users-permissions') && configOf(plugins, 'users-permissions') === undefined
  if (!off) return
  for (const role of roles.filter((name) => name.toLowerCase() !== 'public')) {
    const message = `"${role}" is a role of users, and the users-permissions plugin is switched off`
    const help = 'remove the role, or enable the plugin; API tokens name their permissions themselves'
    fault('CFG061', ['auth', 'roles', role], message, help, 'key')
  }
}

function checkFilesLast(plugins: Plugins, client: string, fault: Fault): void {
  if (client === 'memory' || configOf(plugins, 'upload')?.['provider'] !== 'memory') return
  const path = ['plugins', 'upload', 'config', 'provider']
  const message = 'uploaded files are gone after a restart, and the entries that show them stay'
  fault('CFG062', path, message, 'set "provider: local", or s3', 'value', 'warning')
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
