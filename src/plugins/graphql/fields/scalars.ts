// Defines the scalars of the generated schema, which check input for the planner and return output as the
// database decoder made it.

import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { formatDateTime } from '../../../lib/format-date-time.ts'
import { UploadedFile } from '../../../write/uploaded-file.ts'

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/
/** RFC 3339, section 5.6: the time zone is required. */
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

function isDay(text: string): boolean {
  const day = text.slice(0, 10)
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

interface TextScalar {
  readonly name: string
  readonly description: string
  /** Throws GraphQLError. */
  parse(value: unknown): unknown
  serialize(value: unknown): unknown
}

function textScalar({ name, description, parse, serialize }: TextScalar): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize,
    parseValue: parse,
    parseLiteral(node, variables) {
      try {
        return parse(valueFromASTUntyped(node, variables))
      } catch (error) {
        // graphql-js adds a node to other errors, but passes on a GraphQLError unchanged.
        throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error
      }
    },
  })
}

export const GraphqlDateTime = textScalar({
  name: 'DateTime',
  description:
    'A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the `date-time` format outlined in section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  parse(value) {
    if (typeof value !== 'string') {
      throw new GraphQLError(`DateTime cannot represent non string type ${JSON.stringify(value)}`)
    }
    if (!DATE_TIME.test(value) || !isDay(value)) {
      throw new GraphQLError(`DateTime cannot represent an invalid date-time-string ${value}.`)
    }
    return value
  },
  serialize(value) {
    if (typeof value === 'string') return value
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
    if (typeof value === 'number' && Number.isFinite(value)) return formatDateTime(value)
    throw new GraphQLError('DateTime cannot be serialized from a non string, non numeric or non Date type')
  },
})

export const GraphqlDate = textScalar({
  name: 'Date',
  description:
    'A date string, such as 2007-12-03, compliant with the `full-date` format outlined in section 5.6 of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.',
  parse(value) {
    if (typeof value !== 'string') {
      throw new GraphQLError(`Date cannot represent non string type ${JSON.stringify(value)}`)
    }
    if (!DATE.test(value) || !isDay(value)) {
      throw new GraphQLError(`Date cannot represent an invalid date-string ${value}.`)
    }
    return value
  },
  serialize(value) {
    if (typeof value === 'string') return value
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString().slice(0, 10)
    throw new GraphQLError('Date cannot represent a non string, or non Date type')
  },
})

export const GraphqlTime = textScalar({
  name: 'Time',
  description: 'A time string with format HH:mm:ss.SSS',
  parse(value) {
    if (typeof value !== 'string') throw new TypeError('Time cannot represent non string type')
    if (!TIME.test(value)) throw new TypeError('Invalid time format, expected HH:mm:ss.SSS')
    return value
  },
  serialize(value) {
    if (typeof value === 'string') return value
    throw new TypeError('Time cannot represent non string type')
  },
})

const INTEGER = /^-?\d{1,19}$/

/** 64-bit integers: a JSON number where JavaScript is exact, otherwise text. */
export const GraphqlLong = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: longOut,
  parseValue: longIn,
  parseLiteral(node) {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return longIn(node.value)
    return longIn(valueFromASTUntyped(node))
  },
})

function longOut(value: unknown): unknown {
  const text = String(value)
  if (!INTEGER.test(text)) throw new GraphQLError(`BigInt cannot represent non-integer value: ${text}`)
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** Long literals stay text, so that no digit is lost; the planner checks the bounds. */
function longIn(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (typeof value === 'string' && INTEGER.test(value)) return value
  throw new GraphQLError(`BigInt cannot represent non-integer value: ${JSON.stringify(value)}`)
}

export const GraphqlJson = new GraphQLScalarType({
  name: 'JSON',
  description:
    'The `JSON` scalar type represents JSON values as specified by [ECMA-404](http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf).',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

/** The parser of a multipart request puts the file into the variables. */
export const GraphqlUpload = new GraphQLScalarType({
  name: 'Upload',
  description: 'The `Upload` scalar type represents a file upload.',
  serialize() {
    throw new GraphQLError('Upload serialization unsupported.')
  },
  parseValue(value) {
    if (value instanceof UploadedFile) return value
    throw new GraphQLError('Upload value invalid.')
  },
  parseLiteral(node: ValueNode) {
    throw new GraphQLError('Upload literal unsupported.', { nodes: node })
  },
})

/**
 * Accepts the file's locales (any locale if the file lists none) and `every`, which stands for all. In Strapi
 * 5 a variable may hold an unknown locale, which matches no entry.
 */
export function createLocaleCode(
  codes: readonly string[] | undefined,
  { every, anyVariable }: { readonly every: string; readonly anyVariable: boolean },
): GraphQLScalarType {
  const text = (value: unknown): string => {
    if (typeof value !== 'string') throw new TypeError('Locale cannot represent non string type')
    return value
  }
  const parse = (value: unknown): string => {
    const code = text(value)
    if (code !== every && codes?.includes(code) === false) throw new TypeError('Unknown locale supplied')
    return code
  }
  return new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    serialize: String,
    parseValue: anyVariable ? text : parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : valueFromASTUntyped(node)),
  })
}
