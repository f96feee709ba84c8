// The generated validator finds what ajv finds: with every configuration of this folder, each with a value replaced at
// random.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type SchemaFault, validate } from '../../src/config/generated/validate-config.js'
import { assembleSchema } from '../../tools/scripts/assemble-schema.ts'
import { ajvOptions, withFaultsOfOpenMaps, withoutProse } from '../../tools/scripts/generate-validator.ts'

const schema = assembleSchema(join(import.meta.dirname, '../../src'))
const byAjv = new Ajv(ajvOptions).compile(withFaultsOfOpenMaps(schema))

const configurations = ['good', 'bad'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parsed(readFileSync(join(import.meta.dirname, folder, name), 'utf8'))),
)

/** What is not YAML or contains itself is refused before the validator sees it. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(JSON.stringify(parse(text, { logLevel: 'silent', merge: true })))]
  } catch {
    return []
  }
}

/** What the messages are made of. */
function faults(found: readonly Partial<SchemaFault>[] | null | undefined): unknown {
  return (found ?? []).map(({ keyword, instancePath, params, propertyName, parentSchema, data }) => ({
    ...{ keyword, instancePath, params, propertyName, data },
    parentSchema: parentSchema && withoutProse(Object(parentSchema)),
  }))
}

function bothFind(value: unknown): { readonly expected: unknown; readonly found: unknown } {
  byAjv(value)
  validate(value)
  return { expected: faults(byAjv.errors), found: faults(validate.errors) }
}

test('in every configuration', () => {
  expect(configurations.length).toBeGreaterThan(200)
  const wrong = configurations.filter((value) => !validate(value))
  expect(wrong.length).toBeGreaterThan(50)
  for (const value of configurations) {
    const { expected, found } = bothFind(value)
    expect(found).toEqual(expected)
  }
})

test('with a value replaced at random', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('string', '~/', {}, [], 0, -1, null),
  )
  fc.assert(
    fc.property(fc.constantFrom(...configurations), fc.nat(), anything, (value, place, replacement) => {
      const copy = { root: structuredClone(value) }
      const places = placesOf(copy)
      const [holder, key] = places[place % places.length] ?? [copy, 'root']
      Reflect.set(holder, key, replacement)
      const { expected, found } = bothFind(copy.root)
      expect(found).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

function placesOf(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): [object, string][] => [
    [value, key],
    ...placesOf(inner),
  ])
}
