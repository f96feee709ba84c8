// Checks user settings that contradict each other or other parts of the file.

import { type Fault, getSettings } from '../../config/plugin-rule.ts'
import type { RawConfig } from '../../config/raw-config.ts'
import { isRecord } from '../../lib/is-record.ts'

export function checkSettings(raw: RawConfig, fault: Fault): void {
  checkRoles(raw, fault)
  checkRoleNames(raw, fault)
  checkConfirmation(raw, fault)
  checkSessions(raw, fault)
}

function checkRoles(raw: RawConfig, fault: Fault): void {
  const named = Object.hasOwn(raw.plugins ?? {}, 'users-permissions')
  if (!named || getSettings(raw, 'users-permissions') !== undefined) return
  const roles = Object.keys(raw.auth?.roles ?? {})
  for (const role of roles.filter((name) => name.toLowerCase() !== 'public')) {
    const message = `"${role}" is a role of users, and the users-permissions plugin is switched off`
    const help = 'remove the role, or enable the plugin; API tokens name their permissions themselves'
    fault('CFG061', ['auth', 'roles', role], message, help, 'key')
  }
}

/** As in Strapi. A role without a name has that of its type. */
const MIN_NAME_LENGTH = 3

function checkRoleNames(raw: RawConfig, fault: Fault): void {
  for (const [type, { name }] of Object.entries(raw.auth?.roles ?? {})) {
    if ((name ?? type).length >= MIN_NAME_LENGTH) continue
    const message = `the name of the role "${type}" has less than ${MIN_NAME_LENGTH} characters`
    const help = `give it a longer name: "${type}: { name: Role ${type}, permissions: [] }"`
    fault('CFG015', ['auth', 'roles', type], message, help, 'key')
  }
}

function checkSessions(raw: RawConfig, fault: Fault): void {
  const settings = getSettings(raw, 'users-permissions')
  if (settings?.['sessions'] === undefined || settings['jwtManagement'] === 'refresh') return
  // Logins to the console are sessions in any case.
  if (Object.values(raw.auth?.roles ?? {}).some((role) => Boolean(role.console))) return
  const path = ['plugins', 'users-permissions', 'config', 'sessions']
  const help = 'add "jwtManagement: refresh" beside it, or remove it'
  fault('CFG054', path, '"sessions" does nothing: logins give one token, and no session', help, 'key')
}

/** New users wait for a mail: without a mailer, they could never log in. */
function checkConfirmation(raw: RawConfig, fault: Fault): void {
  const advanced = getSettings(raw, 'users-permissions')?.['advanced']
  if (!isRecord(advanced) || advanced['email_confirmation'] !== true) return
  const path = ['plugins', 'users-permissions', 'config', 'advanced', 'email_confirmation']
  const email = getSettings(raw, 'email')
  if (email === undefined) {
    const help = 'enable it: "email: { config: { provider: smtp, providerOptions: { host: … } } }"'
    fault('CFG060', path, 'addresses are confirmed by mail, and the email plugin is switched off', help)
  } else if (raw.server?.environment === 'production' && email['provider'] !== 'smtp') {
    const help = 'set "provider: smtp" in the config of the email plugin'
    const message = 'addresses are confirmed by mail, and in production the provider "log" sends none'
    fault('CFG060', path, message, help)
  }
}
