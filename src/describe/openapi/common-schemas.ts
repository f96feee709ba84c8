// JSON Schemas of errors, pagination and scalar attributes.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { JsonSchema } from '../../plugins/openapi-operation.ts'

export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['data', 'error'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      // Strapi refuses a body that is not JSON without `details`.
      required: ['status', 'name', 'message'],
      properties: {
        status: { type: 'integer' },
        name: { type: 'string' },
        message: { type: 'string' },
        details: { type: 'object' },
      },
    },
  },
}

const count: JsonSchema = { type: 'integer', minimum: 0 }

export const paginationSchema: JsonSchema = {
  type: 'object',
  properties: {
    page: count,
    pageSize: count,
    pageCount: count,
    start: count,
    limit: { type: 'integer' },
    total: count,
    next: { type: ['string', 'null'] },
  },
}

export function buildScalarSchema({ type, enum: values }: ScalarAttribute): JsonSchema {
  const { jsonSchema } = attributeTypes[type]
  return values === undefined ? jsonSchema : { ...jsonSchema, enum: [...values] }
}

export function limits({ min, max, minLength, maxLength, type }: ScalarAttribute): JsonSchema {
  const texts = {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  }
  // Big integers are strings, for which JSON Schema has no bounds.
  if (attributeTypes[type].jsonSchema['type'] === 'string') return texts
  return {
    ...(typeof min === 'number' && { minimum: min }),
    ...(typeof max === 'number' && { maximum: max }),
  }
}

export function orNull(schema: JsonSchema): JsonSchema {
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}
