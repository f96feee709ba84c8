// A generation's GraphQL: its schema, and what answers an operation.

import { execute, lexicographicSortSchema, parse, printSchema, validate } from 'graphql'
import type { Config } from '../../config/config.ts'
import { ApiError } from '../../errors/api-error.ts'
import { parseJson } from '../../http/parse-json.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { PluginContext } from '../plugin.ts'
import { createShadowCrud } from '../shadow-crud-handles.ts'
import type { GraphqlOptions } from './options.ts'
import { createEntryResolvers } from './resolvers/create-entry-resolvers.ts'
import { buildSchema } from './schema/build-schema.ts'

export interface Engine {
  handle(request: HttpRequest): Promise<Reply>
  schemaDefinition(): string
}

export function createEngine(context: PluginContext, options: GraphqlOptions, whole: Config): Engine {
  const { model, content, guard } = context
  const { publicDrafts } = whole.rest
  const resolvers = createEntryResolvers({ model, content, limits: options.limits, publicDrafts })
  const schema = buildSchema({
    model,
    resolvers,
    shadowCrud: createShadowCrud().settings,
    generates: options.shadowCrud,
    offers: context.graphqlOffers,
  })
  return {
    schemaDefinition: () => printSchema(lexicographicSortSchema(schema)),
    async handle(request) {
      const principal = await guard.principalOf(request)
      const body = parseJson(Buffer.from(await request.body.bytes()).toString()) as {
        query: string
        variables?: Record<string, unknown>
        operationName?: string
      }
      const document = parse(body.query)
      const errors = validate(schema, document)
      if (errors.length > 0) {
        return jsonReply2(
          400,
          JSON.stringify({
            errors: errors.map((e) => ({
              message: e.message,
              locations: e.locations,
              extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
            })),
          }),
        )
      }
      const result = await execute({
        schema,
        document,
        contextValue: { request, principal },
        variableValues: body.variables ?? null,
        operationName: body.operationName ?? null,
      })
      return jsonReply2(
        200,
        JSON.stringify({
          ...(result.errors === undefined
            ? {}
            : {
                errors: result.errors.map((e) => {
                  const o = e.originalError
                  if (!(o instanceof ApiError))
                    return {
                      message: e.message,
                      locations: e.locations,
                      path: e.path,
                      extensions: { code: 'INTERNAL_SERVER_ERROR' },
                    }
                  const codes: Record<string, string> = {
                    ForbiddenError: 'FORBIDDEN',
                    PolicyError: 'FORBIDDEN',
                    ValidationError: 'BAD_USER_INPUT',
                    UnauthorizedError: 'UNAUTHENTICATED',
                  }
                  return {
                    message: e.message,
                    extensions: {
                      error: { name: o.name, message: o.message, details: o.details },
                      code: codes[o.name] ?? `STRAPI_${o.name.replace(/(?<!^)[A-Z]/g, '_$&').toUpperCase()}`,
                    },
                  }
                }),
              }),
          data: result.data,
        }),
      )
    },
  }
}

function jsonReply2(status: number, body: string) {
  return { ...jsonReply(status, body), contentType: 'application/json' }
}
