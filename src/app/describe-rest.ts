// A checked configuration -> the OpenAPI document of what it would serve, without touching the database that it names.

import type { Config } from '../config/config.ts'
import { openapiDocument } from '../describe/openapi-document.ts'
import { permissionMatrix } from '../describe/permission-matrix.ts'
import type { Schema } from '../describe/scalar-schema.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { createLog } from '../log/create-log.ts'
import type { Usable } from './make-generation.ts'
import { openService } from './open-service.ts'

export type RestDescription = { readonly diagnostics: readonly Diagnostic[] } | { readonly document: Schema }

export async function describeRest({ config, model, own }: Usable): Promise<RestDescription> {
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const database = { ...config.database, client: 'memory' } as const
  const empty: Config = { ...config, database, auth: { ...config.auth, users: [] }, data: {} }
  const opened = await openService({ config: empty, model, own }, log, { describes: true })
  if ('diagnostics' in opened) return opened
  const { routes } = opened.service.live.current
  await opened.service.close()
  const { server, rest } = config
  const granted = permissionMatrix(config, model).roles['public'] ?? []
  const document = openapiDocument({
    model,
    routes,
    prefix: rest.prefix,
    publicActions: new Set(granted),
    title: 'Content API',
    version: '1.0.0',
    url: server.publicUrl ?? `http://localhost:${server.port}`,
  })
  return { document }
}
