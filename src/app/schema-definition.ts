// A checked configuration -> its GraphQL schema as text, without touching the database that it names.

import type { Config } from '../config/config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Model } from '../model/model.ts'
import { createLog } from './create-log.ts'
import { openService } from './open-service.ts'

export type SchemaDefinition =
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Undefined where the graphql plugin is off. */
  | { readonly definition: string | undefined }

export async function schemaDefinition(config: Config, model: Model): Promise<SchemaDefinition> {
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const empty: Config = { ...config, database: { ...config.database, client: 'memory' }, data: {} }
  const opened = await openService(empty, model, log)
  if ('diagnostics' in opened) return opened
  const definition = opened.service.live.current.schemaDefinition()
  await opened.service.close()
  return { definition }
}
