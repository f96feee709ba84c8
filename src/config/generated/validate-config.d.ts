// Generated from the schemas in src by `npm run generate`; do not edit.

/** One fault, in the words of ajv; parentSchema is what the value was checked against. */
export interface SchemaFault {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly propertyName?: string
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

/** True when `value` has the shape of a configuration; else the faults are in `validate.errors`. */
export const validate: {
  (value: unknown): boolean
  errors?: readonly SchemaFault[] | null
}
export default validate
