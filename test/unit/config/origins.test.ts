import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Expansion } from '../../../src/config/shorthand/expansion.ts'

test('a replaced map: its parts come from where they stood, the rest from the map', () => {
  const expansion = new Expansion({ a: { title: 'x', from: 'y', gone: 1 } })
  const { origins } = expansion
  expansion.replace(['a'], { attributes: { title: 'x' }, target: 'y' }, [
    [['attributes', 'title'], ['title']],
    [['target'], ['from']],
  ])
  expect(origins.inFile(['a', 'attributes', 'title', 'type'])).toEqual(['a', 'title', 'type'])
  expect(origins.inFile(['a', 'target'])).toEqual(['a', 'from'])
  expect(origins.inFile(['a', 'attributes'])).toEqual(['a'])
  expect(origins.inFile(['b', 0])).toEqual(['b', 0])
  expect(origins.expanded(['a', 'from'])).toEqual([['a', 'target']])
  expect(origins.expanded(['a', 'gone'])).toEqual([['a']])
})

test('keys that keep their value need no pair', () => {
  const expansion = new Expansion({ a: { type: 'int', min: 1 } })
  expansion.replace(['a'], { type: 'integer', min: 1 })
  expect(expansion.origins.inFile(['a', 'min'])).toEqual(['a', 'min'])
  expect(expansion.origins.inFile(['a', 'type'])).toEqual(['a'])
})

test('a value in two places, and a key with another name', () => {
  const expansion = new Expansion({ articles: [{ title: 'x' }], b: 1 })
  const { origins } = expansion
  expansion.rename(['articles'], 'article')
  expansion.replace(['article'], { en: 'x', fr: 'x' }, [
    [['en'], [0, 'title']],
    [['fr'], [0, 'title']],
  ])
  expect(expansion.entries([])).toEqual([
    ['article', { en: 'x', fr: 'x' }],
    ['b', 1],
  ])
  expect(origins.inFile(['article', 'fr'])).toEqual(['articles', 0, 'title'])
  expect(origins.expanded(['articles', 0, 'title'])).toEqual([
    ['article', 'en'],
    ['article', 'fr'],
  ])
})

const key = fc.constantFrom('a', 'b', 'c')
const change = fc.record({
  kind: fc.constantFrom('wrap', 'move', 'rename', 'unwrap'),
  path: fc.array(key, { minLength: 1, maxLength: 3 }),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
})

test('whatever is changed: every leaf is found where it stood, and back', () => {
  const leaves = (value: unknown, path: readonly string[] = []): (readonly [readonly string[], unknown])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([step, item]) => leaves(item, [...path, step]))
      : [[path, value]]
  const tree = () => {
    let next = 0
    const level = (depth: number): unknown =>
      depth === 0 ? `leaf ${next++}` : { a: level(depth - 1), b: level(depth - 1), c: level(depth - 1) }
    return level(3)
  }
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const before = new Map(leaves(tree()).map(([path, value]) => [value, path]))
      const expansion = new Expansion(tree())
      for (const { kind, path, name } of changes) {
        const found = expansion.at(path)
        if (found === undefined) continue
        const inner = Object(found)
        if (kind === 'wrap') expansion.replace(path, { [name]: found }, [[[name], []]])
        else if (kind === 'rename' && expansion.at([...path.slice(0, -1), name]) === undefined)
          expansion.rename(path, name)
        else if (kind === 'move' && expansion.at(['moved']) === undefined)
          expansion.move(path, ['moved', name])
        else if (kind === 'unwrap' && typeof found === 'object' && Object.hasOwn(inner, name))
          expansion.replace(path, inner[name], [[[], [name]]])
      }
      for (const [path, leaf] of leaves(expansion.value)) {
        const stood = before.get(leaf) ?? []
        expect(expansion.origins.inFile(path)).toEqual(stood)
        expect(expansion.origins.expanded(stood)).toEqual([path])
      }
    }),
    { numRuns: 1000 },
  )
})
