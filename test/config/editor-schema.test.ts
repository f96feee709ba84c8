// The schema that editors use beside `validate`: of the mistakes that need no other part of the file it finds nine of ten, and
// no good file is wrong by it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'

const root = join(import.meta.dirname, '../..')
const schema = JSON.parse(readFileSync(join(root, 'schemas/cms.schema.json'), 'utf8'))
const isRight = new Ajv({ strict: false, validateFormats: false }).compile(schema)

/** Diagnostics that a schema alone can find, and why; all others need another part of the file, its text, or its surroundings. */
const alone: Readonly<Record<string, string>> = {
  CFG010: 'the kind of a value',
  CFG011: 'a key that is missing beside others',
  CFG012: 'a key that is unknown where it stands',
  CFG013: 'a value that is none of a list',
  CFG014: 'the form of a text',
  CFG015: 'the least and the most of a number',
  CFG016: 'the length of a text or list',
  CFG018: 'a list with a value twice',
  CFG019: 'the length of a list',
}

/** Good files that a schema cannot judge, and why. */
const unjudged: Readonly<Record<string, string>> = {
  'test/config/good/environment.yaml': 'variables of the environment stand in place of numbers',
  'test/config/good/pasted-json.yaml': 'JSON without an indentation is no YAML map before it is read',
}

function readYaml(file: string): unknown {
  const document = parseDocument(readFileSync(file, 'utf8'), { merge: true, logLevel: 'silent' })
  return document.errors.length > 0 ? undefined : document.toJS()
}

test('nine of ten mistakes that stand alone are found', () => {
  const folder = join(import.meta.dirname, 'bad')
  const found: string[] = []
  const missed: string[] = []
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.yaml'))) {
    const report = readFileSync(join(folder, name.replace('.yaml', '.txt')), 'utf8')
    const codes = new Set([...report.matchAll(/^error\[(\w+)\]/gm)].map(([, code = '']) => code))
    const own = [...codes].filter((code) => code in alone)
    const value = own.length === 0 ? undefined : readYaml(join(folder, name))
    if (value === undefined) continue
    const list = isRight(value) ? missed : found
    list.push(...own.map((code) => `${code} ${name}`))
  }
  expect(found.length).toBeGreaterThan(90)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual((found.length + missed.length) / 10)
})

describe('a content-type', () => {
  const type = (article: unknown) => ({ contentTypes: { article } })
  const attributes = { title: 'string' }
  test.each([
    ['a kind that there is none of', type({ kind: 'colectionType', attributes })],
    ['a key of the type', type({ attributes, optoins: {} })],
    ['attributes', type({ atributes: attributes })],
    ['a key of info', type({ info: { singular: 'article' }, attributes })],
    ['an enumeration without values', type({ attributes: { mood: { type: 'enumeration' } } })],
    ['a bound', type({ attributes: { title: { type: 'string', maxLength: -1 } } })],
  ])('with a mistake in %s is refused', (_, file) => {
    expect(isRight(file)).toBe(false)
  })
})

const good = ['examples', 'test/config/good'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
)

test.each(['cms.yaml', ...good].filter((file) => !(file in unjudged)))('%s is right', (file) => {
  const value = readYaml(join(root, file))
  // Other YAML stands beside the examples: cases, data, files of deployments.
  if (typeof value !== 'object' || value === null || !('contentTypes' in value)) return
  expect(isRight(value), JSON.stringify(isRight.errors?.slice(0, 3))).toBe(true)
})
