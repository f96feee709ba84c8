// Searches over `index: text` against a model in JavaScript: which entries are found, in which order, and what is marked.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const indexed = { type: 'text', index: 'text' }
const cms = openForTests({
  contentTypes: {
    article: { attributes: { title: indexed, body: indexed, note: 'string', part: 'integer' } },
  },
  auth: { roles: { public: { permissions: ['article.find'] } } },
})

interface Entry {
  readonly id: number
  readonly title: string | null
  readonly body: string | null
  readonly note: string | null
}

const word = fc.constantFrom(
  ...['lamp', 'Lamp', 'lamps', 'BLUE', 'blue', 'red', 'a', 'ä', 'Ä', '42', '😀', '<b>', '&', "it's", 'x-y'],
)
const gap = fc.constantFrom(' ', ' ', ' ', '\n', ', ')
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 60, size: 'max' })
  .map((words) => words.map((pair) => pair.join('')).join(''))
const value = fc.option(text, { freq: 6 })
const entries = fc.array(fc.record({ title: value, body: value, note: value, part: fc.integer() }), {
  minLength: 3,
  maxLength: 15,
})

/** Each term beside its text in a search. */
const term = fc
  .record({
    words: fc.array(word, { minLength: 1, maxLength: 2 }),
    minus: fc.boolean(),
    quoted: fc.boolean(),
  })
  .map(({ words, minus, quoted }) => {
    const isQuoted = quoted || words.length > 1
    const sought = isQuoted ? words.join(' ') : words.join('')
    return { sought, minus, written: `${minus ? '-' : ''}${isQuoted ? `"${sought}"` : sought}` }
  })
const terms = fc.array(term, { maxLength: 5 })

test('searches find, order and mark like the model', { timeout: 600_000 }, async () => {
  let ranked = 0
  await fc.assert(
    fc.asyncProperty(entries, fc.array(terms, { minLength: 4, maxLength: 8 }), async (given, searches) => {
      const articles = cms().entries('article')
      for (const { id } of await articles.findMany()) await articles.delete(id)
      const stored = (await articles.createMany(given)) as unknown as readonly Entry[]
      for (const search of searches) {
        const written = search.map((one) => one.written).join(' ')
        const found = stored.filter((entry) => matches(entry, search))
        const sought = search.filter(({ minus }) => !minus).map((one) => fold(one.sought))
        const ranks = new Map(found.map((entry) => [entry.id, getRank(entry, sought)]))
        const expected = found.toSorted(
          (a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0) || a.id - b.id,
        )
        if (new Set(ranks.values()).size > 2) ranked += 1
        const shown = await ask(written)
        expect({ written, ids: shown.map(({ id }) => id) }).toEqual({
          written,
          ids: expected.map(({ id }) => id),
        })
        for (const { id, attributes } of shown) {
          const entry = stored.find((one) => one.id === id)
          for (const name of ['title', 'body'] as const)
            checkMarks(attributes._highlight?.[name], entry?.[name] ?? null, sought)
        }
      }
    }),
    { numRuns: process.env['LONG'] === undefined ? 60 : 1500 },
  )
  // Searches that find nothing would be equal, too.
  expect(ranked).toBeGreaterThan(20)
})

interface Shown {
  readonly id: number
  readonly attributes: { readonly _highlight?: Readonly<Record<string, string>> }
}

async function ask(search: string): Promise<readonly Shown[]> {
  const query = new URLSearchParams({ _q: search, _highlight: 'true', 'pagination[pageSize]': '100' })
  const response = await cms().fetch(`/api/articles?${query}`)
  const { data, error } = (await response.json()) as { data: readonly Shown[]; error?: unknown }
  expect(error).toBeUndefined()
  return data
}

type Terms = readonly { readonly sought: string; readonly minus: boolean }[]

function matches(entry: Entry & { readonly part?: number }, search: Terms): boolean {
  return search.every(({ sought, minus }) => {
    const texts = [entry.title, entry.body, entry.note].filter((one) => one !== null)
    const numbers = Number.isFinite(Number(sought)) ? [String(entry.id), String(entry.part)] : []
    return [...texts, ...numbers].some((one) => fold(one).includes(fold(sought))) !== minus
  })
}

/** The longest four count, in the units of the databases: characters, not halves of them. */
function getRank({ title, body }: Entry, sought: readonly string[]): number {
  const counted = sought.toSorted((a, b) => b.length - a.length).slice(0, 4)
  let rank = 0
  for (const one of [title, body])
    for (const each of counted) {
      const count = one === null ? 0 : fold(one).split(each).length - 1
      if (count > 0) rank += 2.2 / (1 + (0.3 + 0.009 * [...(one ?? '')].length) / count)
    }
  return rank
}

function checkMarks(marked: string | undefined, stored: string | null, sought: readonly string[]): void {
  const isFound = stored !== null && sought.some((one) => fold(stored).includes(one))
  expect(marked !== undefined).toBe(isFound)
  if (marked === undefined) return
  const plain = readHtml(marked.replaceAll(/<\/?mark>/g, '')).replaceAll('…', '')
  expect(stored).toContain(plain)
  const parts = marked.split(/<mark>|<\/mark>/).map(readHtml)
  const inside = parts.filter((_, index) => index % 2 === 1)
  const outside = parts.filter((_, index) => index % 2 === 0)
  expect(inside.length).toBeGreaterThan(0)
  for (const part of inside) expect(sought.some((one) => fold(part).includes(one))).toBe(true)
  for (const part of outside) expect(sought.some((one) => fold(part).includes(one))).toBe(false)
}

function fold(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function readHtml(text: string): string {
  return text
    .replaceAll('&#60;', '<')
    .replaceAll('&#62;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#38;', '&')
}
