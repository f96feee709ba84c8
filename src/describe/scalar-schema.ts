// A scalar attribute -> the JSON Schema of its values, as they are answered and as they are taken.

import type { ScalarAttribute } from '../model/attribute.ts'

export type Schema = Readonly<Record<string, unknown>>

export function scalarSchema({ type, enum: values }: ScalarAttribute): Schema {
  switch (type) {
    case 'integer':
      return { type: 'integer' }
    case 'float':
    case 'decimal':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'biginteger':
      return { type: 'string', pattern: '^-?\\d+$' }
    case 'json':
    case 'blocks':
      return {}
    case 'date':
      return { type: 'string', format: 'date' }
    case 'time':
      return { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$' }
    case 'datetime':
    case 'timestamp':
      return { type: 'string', format: 'date-time' }
    case 'email':
      return { type: 'string', format: 'email' }
    default:
      return { type: 'string', ...(values !== undefined && { enum: [...values] }) }
  }
}

export function limits({ min, max, minLength, maxLength, type }: ScalarAttribute): Schema {
  const texts = {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  }
  if (type !== 'integer' && type !== 'float' && type !== 'decimal') return texts
  return {
    ...(typeof min === 'number' && { minimum: min }),
    ...(typeof max === 'number' && { maximum: max }),
  }
}

export function orNull(schema: Schema): Schema {
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}
