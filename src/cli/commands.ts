// The function of each command. It is loaded on demand, so that `cms-run validate` does not load the server.

import type { CommandName } from './command-names.ts'
import type { RunCommand } from './invocation.ts'

export const commands: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  run: async () => (await import('./run.ts')).run,
  validate: async () => (await import('./validate.ts')).validate,
  'print-config': async () => (await import('./validate.ts')).printConfigFile,
  permissions: async () => (await import('./permissions.ts')).printPermissions,
  schema: async () => (await import('./schema.ts')).printSchemaDefinition,
  token: async () => (await import('./create-token.ts')).createToken,
  'token list': async () => (await import('./list-tokens.ts')).printTokens,
  secrets: async () => (await import('./print-secrets.ts')).printSecrets,
  plan: async () => (await import('./plan.ts')).plan,
  export: async () => (await import('./export.ts')).exportTo,
  import: async () => (await import('./import.ts')).importFrom,
  backup: async () => (await import('./backup.ts')).backup,
  migrate: async () => (await import('./migrate.ts')).migrate,
  webhooks: async () => (await import('./webhooks.ts')).listWebhooks,
  'webhooks retry': async () => (await import('./webhooks.ts')).retryWebhooks,
  types: async () => (await import('./types.ts')).printTypes,
  client: async () => (await import('./types.ts')).printClient,
  openapi: async () => (await import('./openapi.ts')).printOpenapi,
  test: async () => (await import('./run-tests.ts')).runTests,
  init: async () => (await import('./init.ts')).init,
  doctor: async () => (await import('./doctor.ts')).doctor,
  help: async () => (await import('./help.ts')).printHelp,
  version: async () => (await import('./version.ts')).printVersion,
}
