// Opens a checked configuration with an empty database in memory and closes it at once, to learn what only a generation
// knows without touching the configured database.

import type { Config } from '../config/config.ts'
import { apiDocument } from '../describe/api-document.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { createLog } from '../log/create-log.ts'
import type { Schema } from '../plugins/openapi-operation.ts'
import type { ValidConfig } from './check-config.ts'
import type { Generation } from './generation.ts'
import { openService } from './open-service.ts'

export type Tried =
  | { readonly generation: Generation; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

/** Stores `data` and users as a start does; users' `bootstrap` does not run. */
export async function tryInMemory({ config, model, own }: ValidConfig): Promise<Tried> {
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const inMemory: Config = { ...config, database: { ...config.database, client: 'memory' } }
  const opened = await openService({ config: inMemory, model, own }, log, { describes: true })
  if ('diagnostics' in opened) return opened
  const { service, warnings } = opened
  const { current: generation } = service.live
  await service.close()
  return { generation, warnings }
}

export type SchemaDefinition =
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Undefined when the graphql plugin is off. */
  | { readonly definition: string | undefined }

/** The GraphQL schema as text. */
export async function schemaDefinition({ config, model, own }: ValidConfig): Promise<SchemaDefinition> {
  const tried = await tryInMemory({ config: { ...config, data: {} }, model, own })
  return 'diagnostics' in tried ? tried : { definition: tried.generation.schemaDefinition() }
}

export type RestDescription = { readonly diagnostics: readonly Diagnostic[] } | { readonly document: Schema }

/** The OpenAPI document of the API that the configuration would serve. */
export async function describeRest({ config, model, own }: ValidConfig): Promise<RestDescription> {
  const empty: Config = { ...config, auth: { ...config.auth, users: [] }, data: {} }
  const tried = await tryInMemory({ config: empty, model, own })
  if ('diagnostics' in tried) return tried
  return { document: apiDocument(config, model, tried.generation.routes) }
}
