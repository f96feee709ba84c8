// The OpenAPI extension point: what a plugin says about its routes, besides their addresses.

export type JsonSchema = Readonly<Record<string, unknown>>

/** The description of one route, beside the parts common to all operations. */
export interface OperationDescription {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly integerId?: boolean
  readonly parameters?: readonly JsonSchema[]
  /** Of an answer that is no error; 200 where nothing is said. */
  readonly status?: number
  readonly response?: JsonSchema
  /** `summary`, `requestBody`, `security`. */
  readonly rest?: JsonSchema
}

/** By method and path, after the prefix where it has it: `POST /auth/local`. `flat` is the schema of a plugin's own entries. */
export type DescribeOperations = (
  flat: (uid: string) => JsonSchema,
) => Readonly<Record<string, OperationDescription>>

export function describeJsonResponse(schema: JsonSchema): JsonSchema {
  return { description: 'Done', content: { 'application/json': { schema } } }
}

export function describeListResponse(items: JsonSchema): JsonSchema {
  return describeJsonResponse({ type: 'array', items })
}
