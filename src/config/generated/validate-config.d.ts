// Generated from the schemas in src by `npm run generate`; do not edit.

/** One fault, in the words of ajv. */
export interface SchemaFault {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly propertyName?: string
  readonly schema?: unknown
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

/** True when `value` has the shape of a configuration; else the faults are in `validate.errors`. */
export const validate: {
  (value: unknown): boolean
  errors?: readonly SchemaFault[] | null
}
export default validate
