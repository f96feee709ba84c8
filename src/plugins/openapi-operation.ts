// Defines how a plugin describes its routes in OpenAPI.

export type JsonSchema = Readonly<Record<string, unknown>>

export interface OperationDescription {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly integerId?: boolean
  readonly parameters?: readonly JsonSchema[]
  /** Status of a successful response, by default 200. */
  readonly status?: number
  readonly response?: JsonSchema
  /** `summary`, `requestBody`, `security`. */
  readonly rest?: JsonSchema
}

/**
 * Keyed by method and path after the prefix, such as `POST /auth/local`; `flat` returns the schema of a
 * plugin's own entries.
 */
export type DescribeOperations = (
  flat: (uid: string) => JsonSchema,
) => Readonly<Record<string, OperationDescription>>

export function describeJsonResponse(schema: JsonSchema): JsonSchema {
  return { description: 'Done', content: { 'application/json': { schema } } }
}

export function describeListResponse(items: JsonSchema): JsonSchema {
  return describeJsonResponse({ type: 'array', items })
}
