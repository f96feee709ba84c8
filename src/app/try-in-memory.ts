// Opens a checked configuration with an empty memory database, to read its GraphQL schema or routes.

import type { Config } from '../config/config.ts'
import { buildApiDocument } from '../describe/api-document.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { createLog } from '../observe/log/create-log.ts'
import type { JsonSchema } from '../plugins/openapi-operation.ts'
import type { App } from './app.ts'
import { type ValidConfig, withSettings } from './check-config.ts'
import { open } from './main.ts'

type TryResult =
  | { readonly app: App; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

/** Stores `data` and users as a start does; users' `bootstrap` does not run. */
export async function tryInMemory(valid: ValidConfig): Promise<TryResult> {
  const { config } = valid
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const inMemory: Config = { ...config, database: { ...config.database, client: 'memory' } }
  const opened = await open(withSettings(valid, inMemory), log, { describes: true })
  if ('diagnostics' in opened) return opened
  const { environment, app, warnings } = opened
  await app.retire()
  await environment.close()
  return { app, warnings }
}

type SchemaDefinition =
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Undefined when the graphql plugin is off. */
  | { readonly definition: string | undefined }

export async function readSchemaDefinition(valid: ValidConfig): Promise<SchemaDefinition> {
  const tried = await tryInMemory({ ...valid, config: { ...valid.config, data: {} } })
  return 'diagnostics' in tried ? tried : { definition: tried.app.schemaDefinition() }
}

type RestDescription = { readonly diagnostics: readonly Diagnostic[] } | { readonly document: JsonSchema }

export async function describeRest(valid: ValidConfig): Promise<RestDescription> {
  const { config, model } = valid
  const empty: Config = { ...config, auth: { ...config.auth, users: [] }, data: {} }
  const tried = await tryInMemory({ ...valid, config: empty })
  if ('diagnostics' in tried) return tried
  return { document: buildApiDocument(config, model, tried.app.routes) }
}
