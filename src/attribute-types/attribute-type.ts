// Declares one record per scalar attribute type, from which other modules derive their tables.

export interface Constraints {
  readonly min: number | string | undefined
  readonly max: number | string | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly regex: string | undefined
  readonly enum: readonly string[] | undefined
  /** Whether messages must hide its values. */
  readonly private: boolean
}

/** A checked value as a database stores and compares it: moments are epoch milliseconds. */
export type ScalarValue = string | number | bigint | boolean | null

/** A value as a database returns it: booleans are 1 and 0, big integers are text. */
export type StoredValue = string | number | bigint | Uint8Array

export interface CheckResult {
  readonly value: ScalarValue
  readonly faults: readonly ScalarFault[]
  readonly moreFaults?: number
  /** Strapi reports a malformed date or time only if the value has no other fault. */
  readonly dateFault?: string
}

export type ScalarFault = string | FaultWithin

export interface FaultWithin {
  /** The path below the attribute: `0`, `children`, `1`. */
  readonly path: readonly string[]
  readonly message: string
}

/** Each database has its own type for each kind. */
export const valueColumns = [
  'text',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
] as const

export type ValueColumn = (typeof valueColumns)[number]

export type GraphqlLeaf =
  | 'String'
  | 'Int'
  | 'Float'
  | 'Boolean'
  | 'Long'
  | 'Date'
  | 'Time'
  | 'DateTime'
  | 'JSON'
  | 'enum'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Types with the same keys share one shape: one definition of the schema and one chapter of the documentation. */
interface ConfigShape {
  readonly definition: string
  readonly description: string
  readonly typeDescription: string
  readonly required: readonly string[]
  readonly keys: Readonly<Record<string, JsonSchema>>
}

export interface AttributeType {
  readonly config: ConfigShape
  readonly example: string | undefined
  /** Returns the expected form, e.g. `a whole number`; undefined when `value` is valid. */
  readonly wanted: (value: unknown) => string | undefined
  /** Undefined if values of the type have no order. */
  readonly bound: ((bound: unknown) => number | bigint | undefined) | undefined
  /** `possible`: if the file says so; `never`: the file must not say it. */
  readonly unique: 'always' | 'possible' | 'never'
  /** Values are hashed before they are stored, and never part of a response. */
  readonly secret: boolean
  /** Made from the text of another attribute, or from the default. */
  readonly slug: boolean
  readonly sluggable: boolean
  /**
   * The UTC value at a moment (epoch milliseconds), for `default: now`; undefined where `now` is an ordinary
   * word.
   */
  readonly atMoment: ((moment: number) => string) | undefined

  /** `draft`: minLength is not checked. `documents`: whether the value belongs to a document of Strapi 5. */
  readonly check: (
    constraints: Constraints,
    label: string,
    value: unknown,
    draft: boolean,
    mostFaults: number,
    documents?: boolean,
  ) => CheckResult
  /** The weaker check of a draft version; the format of a text counts when it is published. */
  readonly checkVersion: AttributeType['check'] | undefined
  /** Casts text or JSON, never null or an object; throws ApiError. */
  readonly cast: (value: unknown, name: string) => ScalarValue
  /** The name in Strapi's message about a null value. */
  readonly yupType: 'string' | 'number' | 'boolean' | 'mixed'
  /** Whether `_q` searches the values; `number`: only if the search is a number. */
  readonly search: 'text' | 'number' | 'never'
  /** Undefined: expressions cannot use it. */
  readonly inExpressions: 'bool' | 'int' | 'number' | 'text' | 'moment' | 'date' | 'time' | undefined

  readonly column: ValueColumn
  readonly decode: (stored: StoredValue) => unknown
  readonly toJson: (stored: StoredValue) => string
  readonly graphql: GraphqlLeaf

  /** `enum` and limits are added if the attribute has them. */
  readonly jsonSchema: JsonSchema
  readonly typeScript: { readonly answered: string; readonly taken: string }
}
