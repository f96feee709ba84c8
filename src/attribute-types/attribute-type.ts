// What there is to know about the type of a scalar attribute: one record of this form for each, from which every room
// takes its table.

/** What limits an attribute's values beyond their type, as the file says it. */
export interface Constraints {
  readonly min: number | string | undefined
  readonly max: number | string | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly regex: string | undefined
  readonly enum: readonly string[] | undefined
  /** Its values do not stand in messages. */
  readonly private: boolean
}

/** A checked value, as it is written to a database and compared there: moments are epoch milliseconds. */
export type ScalarValue = string | number | bigint | boolean | null

/** A value as a database gives it: booleans are 1 and 0, big integers text. */
export type StoredValue = string | number | bigint | Uint8Array

export interface Checked {
  readonly value: ScalarValue
  /** Each gets the value's path, or one below it. */
  readonly faults: readonly ScalarFault[]
  /** How many faults there are beyond those. */
  readonly moreFaults?: number
  /** A malformed date or time: Strapi reports it alone, after everything else is right. */
  readonly dateFault?: string
}

/** A message, or one with the steps that lead to its place within the value. */
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

/** The scalars of the GraphQL schema. `enum`: an enum of the attribute's own, whose filters take text. */
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

/** Types with the same keys share one: it is one definition of the schema and one chapter of the documentation. */
export interface ConfigShape {
  /** Its name in the schema. */
  readonly definition: string
  readonly description: string
  /** Of the key `type`. */
  readonly typeDescription: string
  /** Keys that an attribute must have beside `type`. */
  readonly required: readonly string[]
  /** Those that not every attribute has. */
  readonly keys: Readonly<Record<string, JsonSchema>>
}

export interface AttributeType {
  // In cms.yaml.
  readonly config: ConfigShape
  /** A complete attribute, for a type whose name alone says too little. */
  readonly example: string | undefined
  /** What a default or seed is to be instead, e.g. `a whole number`; undefined when it can be a value. */
  readonly wanted: (value: unknown) => string | undefined
  /** Reads `min` and `max`; undefined: values have no order that these could limit. */
  readonly bound: ((bound: unknown) => number | bigint | undefined) | undefined
  /** Whether no two entries may have the same value: in any case, if the file says so, or not to be said. */
  readonly unique: 'always' | 'possible' | 'never'
  /** Hashed before it is stored, and never answered. */
  readonly secret: boolean
  /** Made from the text of another attribute, or from its default, where a payload has none. */
  readonly slug: boolean
  /** Whether slugs are made from its values. */
  readonly sluggable: boolean

  // In payloads and filters.
  /** `draft` relaxes minLength. Of a value with much in it the first `mostFaults` are said. */
  readonly check: (
    constraints: Constraints,
    label: string,
    value: unknown,
    draft: boolean,
    mostFaults: number,
  ) => Checked
  /** A filter's value, from text or JSON, never null or an object; throws ApiError. `name` is the attribute's. */
  readonly cast: (value: unknown, name: string) => ScalarValue
  /** Its name in Strapi's sentence about a value that is null. */
  readonly yupType: 'string' | 'number' | 'boolean' | 'mixed'
  /** Whether `_q` looks at it: always, if what is searched is a number, or not. */
  readonly search: 'text' | 'number' | 'never'

  // In the database and in answers.
  readonly column: ValueColumn
  /** As JavaScript has it. */
  readonly decode: (stored: StoredValue) => unknown
  /** As the JSON of REST has it. */
  readonly toJson: (stored: StoredValue) => string
  readonly graphql: GraphqlLeaf

  // In descriptions.
  /** Of values as they are answered; `enum` and limits are added where the attribute has them. */
  readonly jsonSchema: JsonSchema
  readonly typeScript: { readonly answered: string; readonly taken: string }
}
