import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attributeTypes as scalarTypes } from '../../../src/attribute-types/attribute-types.ts'
import { attributeTypes } from '../../../src/config/attribute-types.ts'
import { relationKinds } from '../../../src/model/attribute.ts'

interface Schema {
  readonly [key: string]: unknown
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
}

const file = join(import.meta.dirname, '../../../schemas/cms.schema.json')
const root: Schema = JSON.parse(readFileSync(file, 'utf8'))
const definitions = root.definitions ?? {}

/** Every schema inside the root one, with the way to it; not those that say what must not be. */
function* schemasIn(value: unknown, path: string): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Schema]
  for (const [key, item] of Object.entries(value)) {
    if (!['default', 'examples', 'enum', 'required'].includes(key) && !isNegation(key, item))
      yield* schemasIn(item, `${path}/${key}`)
  }
}

/** `not` may be a key of a map, too. */
function isNegation(key: string, item: unknown): boolean {
  return key === 'not' && typeof item === 'object' && item !== null && ('anyOf' in item || 'required' in item)
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/definitions/', '')
  return name === undefined ? schema : (definitions[name] ?? {})
}

const schemas = [...schemasIn(root, '#')]

test('every key has a description', () => {
  const without: string[] = []
  for (const [path, schema] of schemas) {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (path.endsWith('/properties')) continue
      const { description = '' } = resolved(property)
      if (!/^\S.*[.:]$/.test(description)) without.push(`${path}/properties/${key}`)
    }
  }
  expect(without).toEqual([])
})

test('every reference leads somewhere, and stands alone as draft-07 wants it', () => {
  const references = schemas.filter(([, { $ref }]) => typeof $ref === 'string')
  expect(references.length).toBeGreaterThan(20)
  for (const [path, schema] of references) {
    expect(Object.keys(resolved(schema)).length, path).toBeGreaterThan(0)
    expect(Object.keys(schema), path).toEqual(['$ref'])
  }
})

test('every pattern is explained in words', () => {
  const patterns = schemas.filter(([, { pattern }]) => typeof pattern === 'string')
  expect(patterns.length).toBeGreaterThan(20)
  expect(
    patterns.filter(([, schema]) => schema['patternErrorMessage'] === undefined).map(([path]) => path),
  ).toEqual([])
})

test('every map of fixed keys is closed, unless Strapi leaves it open', () => {
  const open = schemas
    .filter(([path, schema]) => schema.properties !== undefined && !path.endsWith('/properties'))
    .filter(([, schema]) => schema['additionalProperties'] === undefined)
    // What is offered beside several forms; the forms themselves are closed.
    .filter(([, schema]) => schema['anyOf'] === undefined)
    .map(([path]) => path.replace('#/definitions/', ''))
  expect(open.sort()).toEqual([
    'contentType/properties/options',
    // A plugin of one's own: its settings are known to its code only.
    'pluginFileOrShorthand/anyOf/2',
    'pluginOptions',
    'pluginOptions/properties/i18n',
    'plugins/properties/upload/properties/config/properties/providerOptions',
    'plugins/properties/upload/properties/providerOptions',
    'users/items',
  ])
})

test('attribute types and relations are those of the model', () => {
  const branches = definitions['attribute']?.['else'] as { readonly oneOf: readonly Schema[] }
  const types = branches.oneOf.flatMap(
    (branch) => resolved(branch).properties?.['type']?.['enum'] as string[],
  )
  const expected = [...Object.keys(scalarTypes), 'media', 'relation', 'component', 'dynamiczone', 'computed']
  expect([...types].sort()).toEqual([...expected].sort())
  expect([...attributeTypes].sort()).toEqual([...expected].sort())
  expect(definitions['relationAttribute']?.properties?.['relation']?.['enum']).toEqual([...relationKinds])
})
