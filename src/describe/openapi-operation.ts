// What one route adds to what all operations of an OpenAPI document have.

import type { Schema } from './scalar-schema.ts'

/** What one route adds to the common parts. */
export interface OperationParts {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly integerId?: boolean
  readonly parameters?: readonly Schema[]
  readonly answer?: Schema
  /** `summary`, `requestBody`, `security`. */
  readonly rest?: Schema
}

export function jsonAnswer(schema: Schema): Schema {
  return { description: 'Done', content: { 'application/json': { schema } } }
}
