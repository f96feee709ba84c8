// An edit of a YAML text changes the one value that it names, and keeps every comment and the layout.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editYaml, readValue, valueAt } from '../../../src/config/yaml/edit-yaml.ts'
import { writeYaml } from '../../../src/config/yaml/write-yaml.ts'
import { type YamlEdit, YamlEditFault } from '../../../src/config/yaml/yaml-edit.ts'

const text = `# top
types:
  # about a
  a: { title: string! }   # of a
  b:
    drafts: true # of drafts
    attributes:
      size: [S, M]

# below
list:
  - one # first
  - { two: 2 }
empty:
`

type Path = YamlEdit['path']
const set = (path: Path, value: unknown): YamlEdit => ({ kind: 'set', path, value })
const append = (path: Path, value: unknown): YamlEdit => ({ kind: 'append', path, value })
const remove = (...path: Path): YamlEdit => ({ kind: 'remove', path })
const rename = (path: Path, to: string): YamlEdit => ({ kind: 'rename', path, to })

test.each<[string, YamlEdit, string, string]>([
  ['a value', set(['types', 'b', 'drafts'], false), 'drafts: true #', 'drafts: false #'],
  ['a key of a short map', set(['types', 'a', 'n'], 'int'), 'string! }', 'string!, n: int }'],
  ['a key of a block', set(['types', 'b', 'kind'], 'x'), 'size: [S, M]\n', 'size: [S, M]\n    kind: x\n'],
  ['a map', set(['types', 'c'], { d: true }), '[S, M]\n', '[S, M]\n  c: { d: true }\n'],
  [
    'a map of maps',
    set(['types', 'c'], { d: { e: 1 }, f: ['x'] }),
    '[S, M]\n',
    '[S, M]\n  c:\n    d: { e: 1 }\n    f: [x]\n',
  ],
  ['a map with one other key', set(['types', 'a'], { title: 'text' }), 'string! }', 'text }'],
  ['an item of a block', append(['list'], 3), '{ two: 2 }\n', '{ two: 2 }\n  - 3\n'],
  ['an item of a short list', append(['types', 'b', 'attributes', 'size'], 'L'), 'S, M', 'S, M, L'],
  ['a value where there is none', set(['empty', 'x'], 1), 'empty:', 'empty: { x: 1 }'],
  ['a list where there is none', append(['empty'], 1), 'empty:', 'empty: [1]'],
  ['a path that is missing', set(['new', 'deep'], 1), 'empty:\n', 'empty:\nnew: { deep: 1 }\n'],
  ['without a key', remove('types', 'b', 'drafts'), '    drafts: true # of drafts\n', ''],
  ['without an item', remove('list', 0), '  - one # first\n', ''],
  ['without the last item', remove('types', 'b', 'attributes', 'size'), '\n      size: [S, M]', ' {}'],
  ['another key', rename(['types', 'a'], 'z'), '  a: {', '  z: {'],
  ['a text of several lines', set(['empty'], 'a\nb\n'), 'empty:', 'empty: |\n  a\n  b'],
  ['a text that looks like a map', set(['empty'], 'a: b'), 'empty:', 'empty: "a: b"'],
])('%s', (_, edit, before, after) => {
  expect(editYaml(text, edit)).toBe(text.replace(before, after))
})

test('lines end as the others do', () => {
  const windows = text.replaceAll('\n', '\r\n')
  const edit = set(['types', 'c'], { d: { e: 1 } })
  expect(editYaml(windows, edit)).toBe(editYaml(text, edit).replaceAll('\n', '\r\n'))
})

test('JSON stays JSON', () => {
  const json = '{\n  "a": { "b": [1] },\n  "c": "d"\n}\n'
  const edited = editYaml(editYaml(json, append(['a', 'b'], { x: 'y' })), set(['e'], true))
  expect(JSON.parse(edited)).toEqual({ a: { b: [1, { x: 'y' }] }, c: 'd', e: true })
})

test.each<[YamlEdit, RegExp, string?]>([
  [remove('types', 'x'), /types\.x is not in the file/],
  [set(['list', 7], 1), /list has no item 7/],
  [set(['types', 'b', 'drafts', 'x'], 1), /types\.b\.drafts is neither a map nor a list/],
  [rename(['types', 'a'], 'b'), /"b" is there already/],
  [append(['types', 'b', 'drafts'], 1), /is not a list/],
  [set(['b', 'x'], 1), /b is the alias \*a/, 'a: &a { x: 2 }\nb: *a\n'],
  [
    set(['a', 'x'], 1),
    /cannot be edited here, as where its value is shared by an anchor/,
    'a: &a { x: 2 }\nb: *a\n',
  ],
  [set(['a'], 1), /no valid YAML/, 'a: ["'],
])('%j is refused', (edit, said, given = text) => {
  expect(() => editYaml(given, edit)).toThrow(said)
  expect(() => editYaml(given, edit)).toThrow(YamlEditFault)
})

const word = fc.constantFrom('a', 'b', 'title', 'x y', '1', 'true', '#no', 'é: à', '- z', '{', '<<', '')
const key = word.filter((one) => one !== '')
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.integer({ min: -5, max: 100 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value
const map = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true })

function listPaths(of: unknown, path: Path = []): readonly Path[] {
  if (typeof of !== 'object' || of === null) return [path]
  const entries = Array.isArray(of) ? [...of.entries()] : Object.entries(of)
  return [path, ...entries.flatMap(([step, inner]) => listPaths(inner, [...path, step as string]))]
}

const count = process.env['LONG'] === undefined ? 300 : 20_000

test('any value at any place, and comments stay', () => {
  fc.assert(
    fc.property(map, value, key, fc.nat(), fc.nat(), (given, added, name, at, comments) => {
      const written = writeYaml(given, 40)
      let number = 0
      const commented = written.replaceAll(/^(?=[^\n])/gm, (start) =>
        (comments >> number++) % 2 === 0 ? start : `# comment ${number}\n`,
      )
      // A comment within a text of several lines would be a part of it.
      fc.pre(JSON.stringify(readValue(commented)) === JSON.stringify(readValue(written)))
      const paths = listPaths(given)
      const path = paths[at % paths.length] ?? []
      const place = valueAt(given, path)
      const isList = Array.isArray(place)
      const edit = isList ? append(path, added) : set([...path, name], added)
      const isScalar = typeof place !== 'object' || place === null
      if (isScalar && place !== null) {
        expect(() => editYaml(commented, edit)).toThrow(YamlEditFault)
        const other = set(path, added)
        expect(valueAt(readValue(editYaml(commented, other)), path)).toEqual(added)
        return
      }
      const edited = editYaml(commented, edit)
      const found = valueAt(readValue(edited), isList ? [...path, place.length] : [...path, name])
      expect(found).toEqual(added)
      if (valueAt(place, [name]) !== undefined) return
      for (const [comment] of commented.matchAll(/# comment \d+/g)) expect(edited).toContain(comment)
    }),
    { numRuns: count },
  )
})

test.each(['blog', 'shop', 'calendar'])('an addition to the template %s touches no other line', (name) => {
  const template = readFileSync(join(import.meta.dirname, `../../../examples/templates/${name}.yaml`), 'utf8')
  const edited = editYaml(template, set(['contentTypes', 'thing'], { name: 'string!' }))
  const lines = new Set(edited.split('\n'))
  expect(template.split('\n').filter((line) => !lines.has(line))).toEqual([])
  expect(edited.length).toBe(template.length + '  thing: { name: string! }\n'.length)
})
