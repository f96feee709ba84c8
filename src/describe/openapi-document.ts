// Describes the routes of a running app as an OpenAPI 3.1 document.

import type { Route } from '../http/route.ts'
import { listOperationShapes, ownTypes } from '../model/actions.ts'
import type { Model } from '../model/model.ts'
import type { DescribeOperations, JsonSchema, OperationDescription } from '../plugins/openapi-operation.ts'
import { getRestPath } from '../rest/rest-paths.ts'
import { batchOperation, describeOperation } from './openapi/operations.ts'
import { buildModelSchemas, type ModelSchemas, ref } from './openapi/schemas.ts'

export type DescribedRoute = Pick<Route, 'method' | 'path' | 'undocumented'>

export interface DocumentOptions {
  readonly model: Model
  readonly routes: readonly DescribedRoute[]
  readonly prefix: string
  readonly describe: readonly DescribeOperations[]
  readonly publicActions: ReadonlySet<string>
  readonly title: string
  readonly description: string | undefined
  readonly version: string
  readonly url: string
}

export function buildOpenapiDocument(options: DocumentOptions): JsonSchema {
  const { model, routes, prefix, title, description, version, url } = options
  const schemas = buildModelSchemas(model)
  const generated = generatedOperations(options, schemas)
  const flat = (uid: string): JsonSchema => {
    const type = model.contentTypes.get(uid)
    return type === undefined ? { type: 'object' } : schemas.flat(type)
  }
  const ofPlugins = new Map(options.describe.flatMap((describe) => Object.entries(describe(flat))))
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const ids = new Set<string>()
  for (const { method, path, undocumented } of routes) {
    if (undocumented === true) continue
    const ofPlugin = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
    const own = generated.get(`${method} ${path}`) ?? ofPlugins.get(`${method} ${ofPlugin}`) ?? {}
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const operationId = uniqueId(own.operationId ?? getId(method, path), ids)
    const operation = {
      operationId,
      summary: formatSentence(operationId),
      tags: own.tags ?? [getTag(path, prefix)],
      ...own.rest,
      parameters: [
        ...names.map((name) => pathParameter(name, own.integerId === true)),
        ...(own.parameters ?? []),
      ],
      responses: {
        [own.status ?? 200]: own.response ?? { description: 'Done' },
        '4XX': errorResponse,
        default: errorResponse,
      },
    }
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description !== undefined && { description }) },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: schemas.all,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a login.' },
      },
    },
  }
}

function formatSentence(id: string): string {
  const words = id.replaceAll(/[^A-Za-z0-9]+/g, ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

const errorResponse: JsonSchema = {
  description: 'An error',
  content: { 'application/json': { schema: ref('Error') } },
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the key gets the response of the first, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function generatedOperations(
  { model, prefix, publicActions }: DocumentOptions,
  schemas: ModelSchemas,
): ReadonlyMap<string, OperationDescription> {
  const operations = new Map<string, OperationDescription>()
  for (const type of ownTypes(model)) {
    for (const shape of listOperationShapes(type)) {
      const place = getRestPath(type, shape, prefix)
      if (place === undefined) continue
      const { action } = shape
      const open = publicActions.has(`${type.uid}.${action}`)
      const described = describeOperation(type, shape, schemas)
      operations.set(`${place.method} ${place.path}`, {
        operationId: `${action}${pascal(type.singularName)}`,
        tags: [type.displayName],
        ...described,
        parameters: [...(described.parameters ?? []), ...(place.method === 'POST' ? [idempotencyKey] : [])],
        rest: { ...described.rest, ...(open && { security: [{}, { token: [] }] }) },
      })
    }
  }
  operations.set(`POST ${prefix}/_batch`, { ...batchOperation, parameters: [idempotencyKey] })
  return operations
}

function pathParameter(name: string, integer: boolean): JsonSchema {
  return {
    name,
    in: 'path',
    required: true,
    schema: integer ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }
}

function getTag(path: string, prefix: string): string {
  const [first = ''] = (path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path.slice(1)).split(
    '/',
  )
  return first
}

function getId(method: string, path: string): string {
  return method.toLowerCase() + pascal(path.replaceAll(/[^A-Za-z0-9]+/g, '-'))
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`
  taken.add(id)
  return id
}

function pascal(name: string): string {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}
