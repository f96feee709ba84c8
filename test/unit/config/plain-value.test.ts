// Objects of programs are taken as they are only where writing them as YAML and parsing that makes the same of them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatReport } from '../../../src/config/format-diagnostic.ts'
import { type ConfigSource, loadConfig } from '../../../src/config/load-config.ts'
import { copyPlainValue } from '../../../src/config/plain-value.ts'
import { MAX_YAML_BYTES, readYaml } from '../../../src/config/yaml/parse-yaml.ts'
import { writeYaml } from '../../../src/config/yaml/write-yaml.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    'no',
    '~',
    '1e3',
    '0x1f',
    '<<',
    '- a',
    'a: b',
    '# c',
    '|',
    '&a',
    '*a',
    'a\n\n b\n',
    '\t',
    "'",
    '"',
  ),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double(),
    fc.constantFrom(null, true, false, undefined, -0, 1e21, 2 ** 53, 1e-7, 5e-324),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
}))

test('a value that is taken is what YAML would read', () => {
  let taken = 0
  fc.assert(
    fc.property(fc.dictionary(text, value.any, { maxKeys: 5 }), (object) => {
      const plain = copyPlainValue(object)
      if (plain === undefined) return
      taken++
      const read = readYaml(writeYaml(object, 0))
      expect([read.diagnostics, read.value]).toStrictEqual([[], plain])
      expect(readYaml(writeYaml(JSON.parse(JSON.stringify(plain)), 0)).value).toStrictEqual(plain)
    }),
    { numRuns: 2000 },
  )
  expect(taken).toBeGreaterThan(300)
})

describe('left to YAML', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) })
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['a text', 'contentTypes: {}'],
    ['a cycle', cycle],
    ['levels', deep(40)],
    ['a date', { at: new Date(0) }],
    ['a map', { map: new Map() }],
    ['an object of a class', { of: new (class Own {})() }],
    ['a function', { run: () => 1 }],
    ['a bigint', { n: 1n }],
    ['no number', { n: Number.NaN }],
    ['an integer that loses digits', { n: 2 ** 53 }],
    ['a negative zero', { n: -0 }],
    ['a hole', { list: new Array(2) }],
    ['a control character', { a: '\u0000' }],
    ['half of a pair', { a: '\ud800' }],
    ['a key that is refused', JSON.parse('{ "__proto__": 1 }')],
    ['a merge key', { '<<': {} }],
    ['more than a file may hold', { a: 'x'.repeat(MAX_YAML_BYTES) }],
  ])('%s', (_name, object) => {
    expect(copyPlainValue(object)).toBeUndefined()
  })
})

test('undefined values are left out', () => {
  expect(copyPlainValue({ a: undefined, b: { c: undefined, d: null } })).toStrictEqual({ b: { d: null } })
})

test('it is a copy', async () => {
  const object = { contentTypes: { article: { attributes: { title: 'strin' } } } }
  const { source, diagnostics } = await loadConfig({ object }, { env: {} })
  object.contentTypes.article.attributes.title = 'string'
  expect(formatReport(source, diagnostics, { colors: false })).toContain('title: strin\n')
})

test('it is not parsed', async () => {
  const parse = (): never => {
    throw new Error('parsed')
  }
  const object = { contentTypes: { article: { attributes: { title: 'string' } } } }
  expect((await loadConfig({ object }, { env: {}, parse })).diagnostics).toEqual([])
})

describe('reports name the same places', () => {
  const folder = join(import.meta.dirname, '../../config/bad')
  const objects = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name, readYaml(readFileSync(join(folder, name), 'utf8')).value] as const)
    .filter(([, object]) => copyPlainValue(object) !== undefined)

  test('of many files', () => expect(objects.length).toBeGreaterThan(100))

  test.each(objects)('%s', async (_name, object) => {
    const report = async (from: ConfigSource): Promise<string> => {
      const { source, diagnostics } = await loadConfig(from, { env: {} })
      return formatReport(source, diagnostics, { colors: false })
    }
    const written = { file: '<config>', text: writeYaml(object, 0) }
    expect(await report({ object })).toBe(await report(written))
  })
})
