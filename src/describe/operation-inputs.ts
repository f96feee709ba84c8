// Describes the input of an operation as one JSON Schema (2020-12) that needs no other document.

import { isRecord } from '../lib/is-record.ts'
import type { OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { JsonSchema } from '../plugins/openapi-operation.ts'
import { describeOperation } from './openapi/operations.ts'
import { buildModelSchemas, type ModelSchemas } from './openapi/schemas.ts'

const COMPONENTS = '#/components/schemas/'
const DEFINITIONS = '#/$defs/'

const NAMES = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }

/** Parameters that are text in the query of a URL and values here. */
const VALUES: Readonly<Record<string, JsonSchema>> = {
  filters: { type: 'object', description: '{"title":{"$contains":"x"}}, with $and, $or and $not' },
  sort: { ...NAMES, description: '"title:desc", or a list' },
  fields: { ...NAMES, description: 'Attributes of the result' },
  populate: { description: '"*", a list of names, or {"author":{"fields":["name"]}}' },
  pagination: {
    type: 'object',
    description: '{"page":1,"pageSize":10}, {"start":0,"limit":10} or {"after":"…","pageSize":10}',
  },
  aggregate: {
    type: 'object',
    description: '{"count":"*","avg":"rating"}; also countDistinct, min, max and sum',
  },
  groupBy: { ...NAMES, description: 'Attributes, paths such as author.name, and month(createdAt)' },
  having: { type: 'object', description: '{"count":{"$gt":1}}' },
}

export function createOperationInputs(
  model: Model,
): (type: ContentType, shape: OperationShape) => JsonSchema {
  const schemas = buildModelSchemas(model)
  return (type, shape) => withDefinitions(describeInput(type, shape, schemas), schemas)
}

function describeInput(type: ContentType, shape: OperationShape, schemas: ModelSchemas): JsonSchema {
  const { parameters = [], rest = {} } = describeOperation(type, shape, schemas)
  const body = readBody(rest)
  const ofQuery = parameters.map(({ name, schema, description }) => [
    String(name),
    VALUES[String(name)] ?? { ...(schema as JsonSchema), description },
  ])
  const id = { type: ['string', 'integer'], description: 'The id of the entry' }
  return {
    type: 'object',
    properties: {
      ...(shape.hasId && { id }),
      ...Object.fromEntries(ofQuery),
      ...body.properties,
    },
    required: [...(shape.hasId ? ['id'] : []), ...body.required],
    additionalProperties: false,
  }
}

interface BodyMembers {
  readonly properties: JsonSchema
  readonly required: readonly string[]
}

/** A body without an envelope is the data itself. */
function readBody({ requestBody }: JsonSchema): BodyMembers {
  if (!isRecord(requestBody)) return { properties: {}, required: [] }
  const { content } = requestBody as { content: Readonly<Record<string, { schema: JsonSchema }>> }
  const schema = content['application/json']?.schema ?? {}
  const { properties, required } = schema
  if (!isRecord(properties)) return { properties: { data: schema }, required: ['data'] }
  return { properties, required: Array.isArray(required) ? required : [] }
}

function withDefinitions(schema: JsonSchema, { all }: ModelSchemas): JsonSchema {
  const used = new Map<string, JsonSchema>()
  function localize(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(localize)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, localizeMember(key, inner)]))
  }
  function localizeMember(key: string, value: unknown): unknown {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(COMPONENTS)) return localize(value)
    const name = value.slice(COMPONENTS.length)
    if (!used.has(name)) {
      used.set(name, {})
      used.set(name, localize(all[name]) as JsonSchema)
    }
    return `${DEFINITIONS}${name}`
  }
  const localized = localize(schema) as JsonSchema
  return used.size === 0 ? localized : { ...localized, $defs: Object.fromEntries(used) }
}
