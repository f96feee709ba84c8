// The schema that editors use takes what the runtime takes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { attributes, files, relations, sections } from './forms.ts'

const root = join(import.meta.dirname, '../../../..')
const schema = JSON.parse(readFileSync(join(root, 'schemas/cms.schema.json'), 'utf8'))
const ajv = new Ajv({ strict: false, validateFormats: false, discriminator: true })
const validate = ajv.compile(schema)

function faults(object: unknown): unknown {
  return validate(object) ? [] : validate.errors
}

test.each(attributes.flat())('%s', (attribute) => {
  expect(faults({ contentTypes: { article: { it: parse(attribute) } } })).toEqual([])
  expect(faults({ contentTypes: { article: { attributes: { it: parse(attribute) } } } })).toEqual([])
})

test.each(files)('%s', (_, short, full) => {
  expect(faults(parse(short))).toEqual([])
  expect(faults(parse(full))).toEqual([])
})

test.each(sections)('%s', (short, full) => {
  const types = 'contentTypes: { a: { attributes: { b: string, user: user } } }\n'
  expect(faults(parse(types + short))).toEqual([])
  expect(faults(parse(types + full))).toEqual([])
})

test.each(relations)('relations: %s', (_, short) => {
  expect(faults(parse(`contentTypes: { ${short} }`))).toEqual([])
})

test.each([
  '{ type: string, requird: true }',
  '{ type: string, maxLength: long }',
  '{ type: int, mni: 5 }',
  '{ type: decimal, targetField: title }',
  '{ component: seo, repeatabel: true }',
  '{ zone: hero }',
  '{ of: 5 }',
  '[]',
  '5',
  '"two words"',
])('not %s', (attribute) => {
  expect(faults({ contentTypes: { article: { it: parse(attribute) } } })).not.toEqual([])
})

test('every alias is completed, with what it is', () => {
  const { anyOf } = schema.definitions.attributeName
  const described = new Map(
    anyOf.map((item: { const: string; description: string }) => [item.const, item.description]),
  )
  for (const name of ['int', 'slug', 'image', 'files', 'string!']) expect(described.get(name)).toMatch(/\.$/)
})
