// A GraphQL schema as lines that can be compared: `type Article.title: String!`, `enum X.A`, `union Y = A | B`.

import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql'

export function schemaLines(schema: GraphQLSchema): readonly string[] {
  const lines: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    const { name, description } = type
    if (name.startsWith('__')) continue
    const told = description ? ` "${description}"` : ''
    if (isScalarType(type) && !isSpecifiedScalarType(type)) lines.push(`scalar ${name}${told}`)
    else if (isUnionType(type)) {
      for (const member of type.getTypes()) lines.push(`union ${name} | ${member.name}`)
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) lines.push(`enum ${name}.${value.name}`)
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) lines.push(`input ${name}.${argument(field)}`)
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const args = [...field.args].sort((a, b) => (a.name < b.name ? -1 : 1)).map(argument)
        const given = args.length === 0 ? '' : `(${args.join(', ')})`
        const said = field.description ? ` "${field.description}"` : ''
        lines.push(`type ${name}.${field.name}${given}: ${field.type}${said}`)
      }
    }
  }
  return lines.sort()
}

function argument({
  name,
  type,
  defaultValue,
}: Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>): string {
  const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type)
  return `${name}: ${type}${value === undefined || value === null ? '' : ` = ${print(value)}`}`
}

/** Lines of ours that no recorded schema has, and why. */
export const caseless: readonly [RegExp, string] = [
  /^input \w+FilterInput\.(?:startsWithi|endsWithi): \w+$/,
  'every operator of REST is there',
]

export const paths: readonly [RegExp, string] = [
  /^input JSON(?:PathFilterInput\.|FilterInput\.at: )/,
  'values inside JSON can be filtered by, which Strapi cannot',
]

export const aggregates: readonly [RegExp, string] = [
  /^type (?:AggregateGroup\.|Query\.\w+Aggregate\()/,
  'entries can be counted and summed up, which Strapi cannot',
]

export const versions: readonly [RegExp, string] = [
  /^type \w+\.version: Int "/,
  'entries have versions, which writes may name',
]

/** Without the version and the changes that a mutation may name, and without the path inside JSON that a field may show. */
export function withoutOwnArguments(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.startsWith('type Mutation.')
      ? line
          .replace(/(?<=\()change: JSON, |, change: JSON/, '')
          .replace(/, ifVersion: Int|ifVersion: Int, |\(ifVersion: Int\)/, '')
      : line.replace(/\(at: String\)(: JSON!?)$/, '$1'),
  )
}

export const nested: readonly [RegExp, string] = [
  /^input \w+Input\.\w+_create: /,
  'related entries can be created with an entry, which Strapi cannot',
]

/** Lines of one schema that the other lacks without a reason, and reasons that explain nothing. */
export function unexplained(
  of: ReadonlySet<string>,
  beside: ReadonlySet<string>,
  reasons: readonly (readonly [RegExp, string])[],
): readonly string[] {
  const lines = [...of].filter((line) => !beside.has(line))
  const idle = reasons.filter(([pattern]) => !lines.some((line) => pattern.test(line)))
  return [
    ...lines.filter((line) => !reasons.some(([pattern]) => pattern.test(line))),
    ...idle.map(([pattern, reason]) => `explains nothing: ${pattern} (${reason})`),
  ]
}
