// Everything about the type of a scalar attribute: one record of this form for each type. The other modules derive
// their tables from these records.

/** Limits of an attribute's values beyond their type, as written in the file. */
export interface Constraints {
  readonly min: number | string | undefined
  readonly max: number | string | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly regex: string | undefined
  readonly enum: readonly string[] | undefined
  /** Whether messages must not show its values. */
  readonly private: boolean
}

/** A checked value in the form that a database stores and compares: moments are epoch milliseconds. */
export type ScalarValue = string | number | bigint | boolean | null

/** A value as a database returns it: booleans are 1 and 0, big integers are text. */
export type StoredValue = string | number | bigint | Uint8Array

export interface CheckResult {
  readonly value: ScalarValue
  /** Each is reported at the value's path, or at one below it. */
  readonly faults: readonly ScalarFault[]
  /** The number of further faults. */
  readonly moreFaults?: number
  /** The message about a malformed date or time; Strapi reports it only if there is no other fault. */
  readonly dateFault?: string
}

/** A message, or a message with its path within the value. */
export type ScalarFault = string | FaultWithin

export interface FaultWithin {
  /** Steps below the attribute: `0`, `children`, `1`. */
  readonly path: readonly string[]
  readonly message: string
}

/** The kinds of columns for values; each database has its own type for each. */
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

/** The scalars of the GraphQL schema. `enum`: each attribute has its own enum, whose filters take text. */
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
  /** The name of the definition in the schema. */
  readonly definition: string
  readonly description: string
  /** The description of the key `type`. */
  readonly typeDescription: string
  /** Keys that an attribute must have besides `type`. */
  readonly required: readonly string[]
  /** Keys that not every attribute has. */
  readonly keys: Readonly<Record<string, JsonSchema>>
}

export interface AttributeType {
  // In cms.yaml.
  readonly config: ConfigShape
  /** A complete attribute as an example, for a type that needs more than its name. */
  readonly example: string | undefined
  /** The form of a default or seed, e.g. `a whole number`; undefined when `value` is valid. */
  readonly wanted: (value: unknown) => string | undefined
  /** Parses `min` and `max`; undefined if values of the type have no order. */
  readonly bound: ((bound: unknown) => number | bigint | undefined) | undefined
  /** Whether values are unique: always, if the file says so, or never (then the file must not say it). */
  readonly unique: 'always' | 'possible' | 'never'
  /** Whether values are hashed before they are stored, and never part of an answer. */
  readonly secret: boolean
  /** Whether a missing value is made from the text of another attribute, or from the default. */
  readonly slug: boolean
  /** Whether slugs are made from its values. */
  readonly sluggable: boolean
  /** The value at a moment (epoch milliseconds), in UTC, for `default: now`; undefined where `now` is a word like others. */
  readonly atMoment: ((moment: number) => string) | undefined

  // In payloads and filters.
  /**
   * `draft`: minLength is not checked. A value with many parts reports at most `mostFaults` faults. `documents`: whether it
   * is of a document of Strapi 5.
   */
  readonly check: (
    constraints: Constraints,
    label: string,
    value: unknown,
    draft: boolean,
    mostFaults: number,
    documents?: boolean,
  ) => CheckResult
  /**
   * What is checked of the draft version of a document, where that is less: what a text must look like counts when it
   * is published.
   */
  readonly checkVersion: AttributeType['check'] | undefined
  /** Casts a filter's value, text or JSON, never null or an object; throws ApiError. `name`: the attribute's name. */
  readonly cast: (value: unknown, name: string) => ScalarValue
  /** The type's name in Strapi's message about a null value. */
  readonly yupType: 'string' | 'number' | 'boolean' | 'mixed'
  /** Whether `_q` searches the values: always, only if the search is a number, or never. */
  readonly search: 'text' | 'number' | 'never'
  /** Its kind in expressions (`expressions/`); undefined: expressions cannot use it. */
  readonly inExpressions: 'bool' | 'int' | 'number' | 'text' | 'moment' | 'date' | 'time' | undefined

  // In the database and in answers.
  readonly column: ValueColumn
  /** Converts a stored value to its JavaScript value. */
  readonly decode: (stored: StoredValue) => unknown
  /** Converts a stored value to the JSON of REST. */
  readonly toJson: (stored: StoredValue) => string
  readonly graphql: GraphqlLeaf

  // In descriptions.
  /** The schema of values in answers; `enum` and limits are added if the attribute has them. */
  readonly jsonSchema: JsonSchema
  readonly typeScript: { readonly answered: string; readonly taken: string }
}
