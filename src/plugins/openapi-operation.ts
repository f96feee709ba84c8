// The OpenAPI extension point: what a plugin says about its routes, besides their addresses.

export type Schema = Readonly<Record<string, unknown>>

/** The description of one route, beside the parts common to all operations. */
export interface OperationDescription {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly integerId?: boolean
  readonly parameters?: readonly Schema[]
  /** Of an answer that is no error; 200 where nothing is said. */
  readonly status?: number
  readonly answer?: Schema
  /** `summary`, `requestBody`, `security`. */
  readonly rest?: Schema
}

/** By method and path, after the prefix where it has it: `POST /auth/local`. `flat` is the schema of a plugin's own entries. */
export type DescribeOperations = (
  flat: (uid: string) => Schema,
) => Readonly<Record<string, OperationDescription>>

export function jsonAnswer(schema: Schema): Schema {
  return { description: 'Done', content: { 'application/json': { schema } } }
}

export function listAnswer(items: Schema): Schema {
  return jsonAnswer({ type: 'array', items })
}
