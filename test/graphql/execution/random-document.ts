// Random documents that are valid against a schema: fields, aliases, fragments, arguments as literals and as variables,
// `@skip` and `@include`. From a seed, so that a failure can be run again.

import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

export interface RandomDocument {
  readonly query: string
  readonly variables: Record<string, unknown>
}

export function randomDocument(schema: GraphQLSchema, seed: number): RandomDocument {
  let state = seed | 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const chance = (share: number): boolean => random() < share
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const variables: Record<string, unknown> = {}
  const definitions: string[] = []
  const fragments: string[] = []
  let names = 0

  function directive(): string {
    if (!chance(0.1)) return ''
    const kind = pick(['skip', 'include'])
    if (chance(0.5)) return ` @${kind}(if: ${pick(['true', 'false'])})`
    const name = `b${names++}`
    definitions.push(`$${name}: Boolean!`)
    variables[name] = chance(0.5)
    return ` @${kind}(if: $${name})`
  }

  function selections(type: GraphQLObjectType, depth: number): string {
    const parts: string[] = []
    const fields = Object.values(type.getFields()).filter(
      ({ type: inner }) => depth > 0 || isLeafType(getNamedType(inner)),
    )
    for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
      if (chance(0.1) || fields.length === 0) {
        parts.push(`__typename${directive()}`)
        continue
      }
      const field = pick(fields)
      const args = field.args.length === 0 ? '' : argumentsOf(field.args)
      const named = getNamedType(field.type)
      // Two of one name would have to be alike: each has an alias of its own, now and then none.
      const alias = field.args.length > 0 || chance(0.3) || !isLeafType(named) ? `k${names++}: ` : ''
      const below = isLeafType(named) ? '' : ` { ${below_(named, depth - 1)} }`
      parts.push(`${alias}${field.name}${args}${directive()}${below}`)
    }
    if (chance(0.2)) {
      const name = `F${names++}`
      fragments.push(`fragment ${name} on ${type.name} { ${selections(type, depth - 1)} }`)
      parts.push(`...${name}${directive()}`)
      if (chance(0.5)) parts.push(`...${name}${directive()}`)
    }
    if (chance(0.2)) parts.push(`... on ${type.name}${directive()} { ${selections(type, depth - 1)} }`)
    return parts.join(' ')
  }

  function below_(type: unknown, depth: number): string {
    if (isObjectType(type)) return selections(type, depth)
    if (!isAbstractType(type)) return '__typename'
    const each = schema.getPossibleTypes(type).filter(() => chance(0.7))
    return ['__typename', ...each.map((one) => `... on ${one.name} { ${selections(one, depth)} }`)].join(' ')
  }

  function argumentsOf(args: readonly GraphQLArgument[]): string {
    const given = args
      .filter(({ type, defaultValue }) => (isNonNullType(type) && defaultValue === undefined) || chance(0.5))
      .map(({ name, type }) => `${name}: ${literal(type, 3)}`)
    return given.length === 0 ? '' : `(${given.join(', ')})`
  }

  function literal(type: GraphQLInputType, depth: number): string {
    if (chance(0.2)) return variable(type)
    if (isNonNullType(type)) return filled(type.ofType, depth)
    return chance(0.1) ? 'null' : filled(type, depth)
  }

  function variable(type: GraphQLInputType): string {
    const name = `v${names++}`
    definitions.push(`$${name}: ${String(type)}`)
    if (isNonNullType(type) || chance(0.7)) variables[name] = value(type, 3)
    return `$${name}`
  }

  function filled(type: GraphQLInputType, depth: number): string {
    if (isListType(type)) {
      return `[${Array.from({ length: Math.floor(random() * 3) }, () => literal(type.ofType, depth - 1)).join(', ')}]`
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(() => depth > 0 && chance(0.4))
      return `{ ${fields.map((field) => `${field.name}: ${literal(field.type, depth - 1)}`).join(', ')} }`
    }
    if (isEnumType(type)) return pick(type.getValues()).name
    return JSON.stringify(scalar(getNamedType(type).name))
  }

  function value(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return value(type.ofType, depth) ?? scalar(getNamedType(type).name)
    if (chance(0.15)) return null
    if (isListType(type)) return [value(type.ofType, depth - 1)].filter((one) => one !== null)
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(() => depth > 0 && chance(0.4))
      return Object.fromEntries(
        fields
          .map((field) => [field.name, value(field.type, depth - 1)] as const)
          .filter(([, v]) => v !== null),
      )
    }
    if (isEnumType(type)) return pick(type.getValues()).name
    return scalar(getNamedType(type).name)
  }

  function scalar(name: string): unknown {
    if (name === 'Int') return Math.floor(random() * 100)
    if (name === 'Float') return random()
    if (name === 'Boolean') return chance(0.5)
    return pick([
      '',
      'a',
      '"',
      '`\u0024{globalThis.pwned = 1}`',
      '\u2028',
      '*/',
      '\\',
      '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.pwned=1',
    ])
  }

  const mutates = chance(0.2)
  const root = mutates ? schema.getMutationType() : schema.getQueryType()
  const body = root === undefined || root === null ? '' : selections(root, 3)
  const head = definitions.length === 0 ? '' : `(${definitions.join(', ')})`
  return { query: `${mutates ? 'mutation' : 'query'} ${head} { ${body} } ${fragments.join(' ')}`, variables }
}
