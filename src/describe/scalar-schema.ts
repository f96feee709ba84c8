// A scalar attribute -> the JSON Schemas of its values in responses and in requests.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { Schema } from '../plugins/openapi-operation.ts'

export function scalarSchema({ type, enum: values }: ScalarAttribute): Schema {
  const { jsonSchema } = attributeTypes[type]
  return values === undefined ? jsonSchema : { ...jsonSchema, enum: [...values] }
}

export function limits({ min, max, minLength, maxLength, type }: ScalarAttribute): Schema {
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

export function orNull(schema: Schema): Schema {
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}
