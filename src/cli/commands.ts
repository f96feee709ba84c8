// Loads commands on demand, so that `cms-run validate` does not load the server.

import type { CommandName } from './command-names.ts'
import type { RunCommand } from './invocation.ts'

export const commands: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  validate: async () => (await import('./commands/validate.ts')).validate,
  'print-config': async () => (await import('./commands/validate.ts')).printConfigFile,
  permissions: async () => (await import('./commands/permissions.ts')).printPermissions,
  schema: async () => (await import('./commands/schema.ts')).printSchemaDefinition,
  token: async () => (await import('./commands/create-token.ts')).createToken,
  'token list': async () => (await import('./commands/list-tokens.ts')).printTokens,
  secrets: async () => (await import('./commands/print-secrets.ts')).printSecrets,
  plan: async () => (await import('./commands/plan.ts')).plan,
  export: async () => (await import('./commands/export.ts')).exportTo,
  import: async () => (await import('./commands/import.ts')).importFrom,
  backup: async () => (await import('./commands/backup.ts')).backup,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  webhooks: async () => (await import('./commands/plugin-command.ts')).getPluginCommand('webhooks'),
  'webhooks retry': async () =>
    (await import('./commands/plugin-command.ts')).getPluginCommand('webhooks retry'),
  sessions: async () => (await import('./commands/plugin-command.ts')).getPluginCommand('sessions'),
  'sessions revoke': async () =>
    (await import('./commands/plugin-command.ts')).getPluginCommand('sessions revoke'),
  users: async () => (await import('./commands/plugin-command.ts')).getPluginCommand('users'),
  'users create': async () => (await import('./commands/plugin-command.ts')).getPluginCommand('users create'),
  'users password': async () =>
    (await import('./commands/plugin-command.ts')).getPluginCommand('users password'),
  'users role': async () => (await import('./commands/plugin-command.ts')).getPluginCommand('users role'),
  types: async () => (await import('./commands/types.ts')).printTypes,
  client: async () => (await import('./commands/types.ts')).printClient,
  openapi: async () => (await import('./commands/openapi.ts')).printOpenapi,
  test: async () => (await import('./commands/run-tests.ts')).runTests,
  record: async () => (await import('./commands/record.ts')).record,
  mcp: async () => (await import('./commands/mcp.ts')).serveMcp,
  'mcp install': async () => (await import('./commands/mcp-install.ts')).printMcpSettings,
  check: async () => (await import('./commands/check.ts')).check,
  init: async () => (await import('./commands/init.ts')).init,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  help: async () => (await import('./commands/help.ts')).printHelp,
  version: async () => (await import('./commands/version.ts')).printVersion,
}
