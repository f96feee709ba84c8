// The schema of the full form -> the one that editors use, which takes the shorthands as well.

import type { Schema } from './generate-config-reference.ts'

type Schemas = Readonly<Record<string, Schema>>

/** What a `shorthand.schema.json` holds. */
export interface ShorthandSchema {
  /** By definition of the full form: the other forms that may stand in its place. */
  readonly alternatives?: Readonly<Record<string, readonly Schema[]>>
  /** Sections of the file that only shorthands have. */
  readonly properties?: Schemas
  /** By definition of the full form: keys that it has besides, or with another schema. */
  readonly keys?: Readonly<Record<string, Schemas>>
  /** What the alternatives refer to. */
  readonly definitions?: Schemas
  /** Keywords of the whole file. */
  readonly root?: Schema
}

/** Wherever the schema refers to a definition that has alternatives, each of them may stand as well. */
export function withShorthands<T extends Schema>(full: T, shorthands: readonly ShorthandSchema[]): T {
  const schema = withKeys(full, shorthands)
  const alternatives = new Map<string, readonly Schema[]>()
  for (const shorthand of shorthands) {
    for (const [name, forms] of Object.entries(shorthand.alternatives ?? {})) {
      alternatives.set(name, [...(alternatives.get(name) ?? []), ...forms])
    }
  }
  const redirected = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redirected)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const name = key === '$ref' ? String(item).replace('#/definitions/', '') : undefined
        if (name === undefined || !alternatives.has(name)) return [key, redirected(item)]
        return [key, `#/definitions/${eitherOf(name)}`]
      }),
    )
  }
  const choices = [...alternatives].map(([name, forms]): [string, Schema] => {
    const { description = '', properties } = schema.definitions?.[name] ?? {}
    const own = { $ref: `#/definitions/${name}` }
    const anyOf = [own, ...forms.map((form) => beside(properties, redirected(form) as Schema))]
    return [eitherOf(name), { description, ...offered(properties, schema), anyOf }]
  })
  /** Attributes right under their type stand beside the type's own keys, which are none of them. */
  function beside(properties: Schemas | undefined, form: Schema): Schema {
    const bare = form.$ref === '#/definitions/attributes' && properties !== undefined
    if (!bare) return form
    const { attributes: _, ...others } = properties
    return {
      ...(redirected(schema.definitions?.['attributes']) as Schema),
      ...offered(others, schema),
      // As a word it is an attribute with that name.
      not: { required: ['attributes'], properties: { attributes: { type: 'object' } } },
      patternProperties: { [misspelt('attributes')]: false },
    }
  }
  const added = (part: 'properties' | 'definitions') =>
    Object.assign({}, ...shorthands.map((shorthand) => redirected(shorthand[part] ?? {})))
  const published = redirected(schema) as T
  return {
    ...published,
    ...Object.assign({}, ...shorthands.map(({ root = {} }) => root)),
    properties: { ...published.properties, ...added('properties') },
    definitions: { ...published.definitions, ...Object.fromEntries(choices), ...added('definitions') },
  }
}

/** Matches names that one letter more, less or another, or two that changed places, make of the word. */
function misspelt(word: string): string {
  const forms = [...word].flatMap((_, at) =>
    [1, 2].map((cut) => `${word.slice(0, at)}.{0,2}${word.slice(at + cut)}`),
  )
  return `^(?!${word}$)(?:${forms.join('|')})$`
}

/**
 * The keys of the full form, with nothing that checks their values: yaml-language-server completes a map that is only
 * begun by the form that it fits already, which may be another one.
 */
function offered(properties: Schemas | undefined, { definitions }: Schema): Pick<Schema, 'properties'> {
  if (properties === undefined) return {}
  const keys = Object.entries(properties).map(([key, property]) => {
    const { description = '' } = definitions?.[property.$ref?.replace('#/definitions/', '') ?? ''] ?? property
    return [key, { description }] as const
  })
  return { properties: Object.fromEntries(keys) }
}

function withKeys<T extends Schema>(schema: T, shorthands: readonly ShorthandSchema[]): T {
  const definitions = { ...schema.definitions }
  for (const [name, keys] of shorthands.flatMap((shorthand) => Object.entries(shorthand.keys ?? {}))) {
    definitions[name] = { ...definitions[name], properties: { ...definitions[name]?.properties, ...keys } }
  }
  return { ...schema, definitions }
}

function eitherOf(name: string): string {
  return `${name}OrShorthand`
}
