import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parseYaml } from '../../../src/config/yaml/parse-yaml.ts'
import type { SourceText } from '../../../src/config/yaml/source-text.ts'

function textAt(text: string, path: (string | number)[], at: 'key' | 'value' = 'value'): string {
  return textIn(parseYaml(text, 'x.yaml').source, path, at)
}

function textIn(source: SourceText, path: (string | number)[], at: 'key' | 'value'): string {
  const { text } = source
  const { start, end } = source.locate(path, at)
  const lines = text.split('\n')
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0) + column - 1
  return text.slice(offset(start.line, start.column), offset(end.line, end.column))
}

describe('locate', () => {
  const text = [
    'base: &base',
    '  name: anchored',
    'other: &other { extra: [1, "two"] }',
    'list:',
    '  - first',
    '  - key: value',
    '    empty:',
    'merged:',
    '  <<: [*base, *other]',
    '  own: here',
    'alias: *base',
    'contentTypes:',
    '  article: { attributes: { title: string } }',
  ].join('\n')

  test.each<[string, (string | number)[], 'key' | 'value', string]>([
    ['a scalar', ['base', 'name'], 'value', 'anchored'],
    ['a key', ['base', 'name'], 'key', 'name'],
    ['a quoted item of a flow list', ['other', 'extra', 1], 'value', '"two"'],
    ['a flow list', ['other', 'extra'], 'value', '[1, "two"]'],
    ['a block map: its key', ['base'], 'value', 'base'],
    ['an item of a block list', ['list', 0], 'value', 'first'],
    ['a key inside an item', ['list', 1, 'key'], 'value', 'value'],
    ['an empty value: its key', ['list', 1, 'empty'], 'value', 'empty'],
    ['a merged key: where it is written', ['merged', 'name'], 'value', 'anchored'],
    ['a key merged from the second source', ['merged', 'extra', 0], 'value', '1'],
    ['a key of the map itself', ['merged', 'own'], 'value', 'here'],
    ['through an alias', ['alias', 'name'], 'value', 'anchored'],
    ['an alias', ['alias'], 'value', '*base'],
    ['a key that is missing: the map that misses it', ['base', 'nothing'], 'value', 'base'],
    [
      'below a scalar: the scalar',
      ['contentTypes', 'article', 'attributes', 'title', 'type'],
      'value',
      'string',
    ],
    [
      'a short name by its uid',
      ['contentTypes', 'api::article.article', 'attributes', 'title'],
      'key',
      'title',
    ],
    ['the file: its beginning', [], 'value', ''],
    ['nothing there at all: the beginning', ['nowhere', 'at', 'all'], 'value', ''],
  ])('%s', (_name, path, at, expected) => {
    expect(textAt(text, path, at)).toBe(expected)
  })

  test('every key and scalar of any document is found where it is written', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'é', '日', '-', '1'),
      minLength: 1,
      maxLength: 5,
    })
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        name.map((text) => `v${text}`),
        fc.dictionary(
          name.map((text) => `k${text}`),
          tie('tree'),
          { minKeys: 1, maxKeys: 4 },
        ),
        fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      ),
    }))
    const flow = fc.boolean()
    fc.assert(
      fc.property(
        fc.dictionary(
          name.map((text) => `k${text}`),
          tree,
          { minKeys: 1 },
        ),
        flow,
        (value, inFlow) => {
          const written = stringify(value, { collectionStyle: inFlow ? 'flow' : 'block', lineWidth: 0 })
          const { source } = parseYaml(written, 'x.yaml')
          for (const [path, scalar] of leavesOf(value, [])) {
            expect(unquoted(textIn(source, path, 'value'))).toBe(scalar)
            const key = path.at(-1)
            if (typeof key === 'string') expect(unquoted(textIn(source, path, 'key'))).toBe(key)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

function* leavesOf(value: unknown, path: (string | number)[]): Generator<[(string | number)[], string]> {
  if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leavesOf(item, [...path, index])
  } else {
    for (const [key, item] of Object.entries(Object(value))) yield* leavesOf(item, [...path, key])
  }
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text
}

describe('values', () => {
  test.each<[string, string, unknown]>([
    [
      'YAML 1.2 words are text',
      'a: [yes, no, on, off, 1_000, 12:30:45, 2024-01-31]',
      { a: ['yes', 'no', 'on', 'off', '1_000', '12:30:45', '2024-01-31'] },
    ],
    ['numbers', 'a: [010, 0o10, 0x10, 1e3, -.5]', { a: [10, 8, 16, 1000, -0.5] }],
    ['null and booleans', 'a: [~, null, true, False, ]', { a: [null, null, true, false] }],
    [
      'merge keys: the own key wins',
      'x: &x { a: 1, b: 2 }\ny: { <<: *x, b: 3 }',
      { x: { a: 1, b: 2 }, y: { a: 1, b: 3 } },
    ],
    [
      'merge keys: the own key wins from above, too',
      'x: &x { b: 2 }\ny: { b: 3, <<: *x }',
      { x: { b: 2 }, y: { b: 3 } },
    ],
    [
      'merge keys: the first source wins',
      'x: &x { a: 1 }\nz: &z { a: 2, c: 3 }\ny: { <<: [*x, *z] }',
      { x: { a: 1 }, z: { a: 2, c: 3 }, y: { a: 1, c: 3 } },
    ],
    ['merge keys: a map written in place', 'y: { <<: { a: 1 }, b: 2 }', { y: { a: 1, b: 2 } }],
    [
      'merge keys: through an anchored list',
      'x: &x { a: 1 }\nl: &l [*x]\ny: { <<: *l }',
      { x: { a: 1 }, l: [{ a: 1 }], y: { a: 1 } },
    ],
    ['a quoted << is a key', 'y: { "<<": 1 }', { y: { '<<': 1 } }],
    ['an anchor that is set anew', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    ['an alias as a key', 'a: &x key\nb: { *x : 1 }', { a: 'key', b: { key: 1 } }],
    ['core tags', 'a: !!str 5\nb: !!int "5"\nc: ! 5', { a: '5', b: 5, c: '5' }],
    ['JSON', '{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
    ['names that objects inherit', 'toString: 1\nhasOwnProperty: 2', { toString: 1, hasOwnProperty: 2 }],
  ])('%s', (_name, text, expected) => {
    const { value, diagnostics } = parseYaml(text, 'x.yaml')
    expect(diagnostics).toEqual([])
    expect(value).toEqual(expected)
  })
})

describe('refused', () => {
  const codesOf = (text: string) => parseYaml(text, 'x.yaml').diagnostics.map(({ code }) => code)

  test.each<[string, string, string[]]>([
    ['1 beside "1"', 'a: { "1": x, 1: y }', ['CFG030']],
    ['quoted and plain', 'a: { b: x, "b": y, \'b\': z }', ['CFG022', 'CFG022']],
    ['an alias that repeats a key', 'a: &k key\nb: { key: 1, *k : 2 }', ['CFG022']],
    ['a circle of two', 'a: &a { b: &b [*a, *b] }', ['CFG026', 'CFG026']],
    ['a circle through merge', 'a: &a { <<: *a }', ['CFG026']],
    ['deep', `${'['.repeat(65)}${']'.repeat(65)}`, ['CFG028']],
    [
      'deep by aliases',
      `a: &a ${'['.repeat(40)}${']'.repeat(40)}\nb: ${'['.repeat(40)}*a${']'.repeat(40)}`,
      ['CFG028'],
    ],
    ['very deep', '['.repeat(20_000), ['CFG028']],
    ['a directive after a comment', '# x\n\n%YAML 1.2\n---\na: 1', ['CFG024']],
    ['a second document after ...', 'a: 1\n...\nb: 2', ['CFG025']],
    ['too large', `a: ${'x'.repeat(4 * 1024 * 1024)}`, ['CFG005']],
  ])('%s', (_name, text, codes) => {
    expect(codesOf(text)).toEqual(codes)
  })

  test('not: as deep as is allowed', () => {
    expect(codesOf(`${'['.repeat(64)}${']'.repeat(64)}`)).toEqual([])
  })

  test('not: as many aliases as a file would ever have', () => {
    const uses = Array.from({ length: 5000 }, (_, index) => `k${index}: *x`).join('\n')
    expect(codesOf(`x: &x { a: 1, b: 2 }\n${uses}`)).toEqual([])
  })
})

test('any text at all is read or refused, never thrown at', () => {
  const unit = fc.constantFrom(...'ab:-?[]{},&*!|>\'"%@`#~ \n\t<\\$1'.split(''))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const { value, diagnostics, source } = parseYaml(text, 'x.yaml')
      expect(value === undefined || diagnostics.length === 0).toBe(true)
      for (const { range } of diagnostics) {
        if (range === undefined) continue
        expect(range[0]).toBeGreaterThanOrEqual(0)
        expect(range[1]).toBeLessThanOrEqual(Math.max(text.length, range[0] + 2))
        expect(source.positionAt(range[0]).line).toBeGreaterThan(0)
      }
    }),
    { numRuns: 2000 },
  )
})
