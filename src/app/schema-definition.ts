// A checked configuration -> its GraphQL schema as text, without touching the database that it names.

import type { Config } from '../config/config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { createLog } from '../log/create-log.ts'
import type { Usable } from './make-generation.ts'
import { openService } from './open-service.ts'

export type SchemaDefinition =
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Undefined where the graphql plugin is off. */
  | { readonly definition: string | undefined }

export async function schemaDefinition({ config, model, own }: Usable): Promise<SchemaDefinition> {
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const empty: Config = { ...config, database: { ...config.database, client: 'memory' }, data: {} }
  const opened = await openService({ config: empty, model, own }, log, { describes: true })
  if ('diagnostics' in opened) return opened
  const definition = opened.service.live.current.schemaDefinition()
  await opened.service.close()
  return { definition }
}
