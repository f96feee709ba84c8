// Two content-types with the same entries, one with indexes of its texts: every search finds the same entries in both,
// after random writes.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

let cms: Cms
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  const indexed = { type: 'string', index: 'text' }
  cms = await createCms(
    {
      components: { 'shared.part': { attributes: { words: indexed, others: 'string' } } },
      contentTypes: {
        plain: { attributes: { title: 'string', body: 'text', number: 'integer', ...part } },
        indexed: {
          index: [{ text: ['body'] }, 'number'],
          attributes: { title: indexed, body: 'text', number: 'integer', ...part },
        },
      },
      auth: { roles: { public: { permissions: ['plain.*', 'indexed.*'] } } },
    },
    { env: {}, ...database.options },
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const part = { part: { type: 'component', component: 'shared.part' } }

const character = fc.constantFrom(
  ...'aAbBzZ %_*?\\"\'()[]{}^-+:,.~&|<>'.split(''),
  ...[
    'é',
    'É',
    'ß',
    'İ',
    'ı',
    'K',
    '😀',
    '👩‍👧',
    'e\u0301',
    '\ud800',
    '\ufffe',
    '漢',
    '\t',
    '\n',
    'AND',
    'NOT',
  ],
)
const text = fc.string({ unit: character, maxLength: 12 })
const value = fc.option(text, { freq: 5 })
const entry = fc.record({
  title: value,
  body: value,
  number: fc.option(fc.integer({ min: 0, max: 2000 })),
  words: value,
})
const OPERATORS = [
  '$contains',
  '$containsi',
  '$notContains',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$eqi',
]
const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create'), at: fc.nat(), data: entry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('update'), at: fc.nat(), data: entry }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), at: fc.nat(), data: entry }) },
)
const asked = fc.record({
  operator: fc.constantFrom(...OPERATORS),
  other: fc.constantFrom(...OPERATORS),
  /** A part of a text that is stored, often; else any. */
  from: fc.nat(),
  start: fc.nat({ max: 8 }),
  length: fc.nat({ max: 6 }),
  term: text,
  upper: fc.boolean(),
  stored: fc.boolean(),
})

async function found(type: string, query: Record<string, string>): Promise<unknown> {
  const response = await cms.fetch(
    `/api/${type}s?${new URLSearchParams({ ...query, 'pagination[pageSize]': '100' })}`,
  )
  const { data, meta, error } = (await response.json()) as {
    data: { attributes: { number: unknown; title: unknown; body: unknown } }[] | null
    meta?: { pagination: { total: number } }
    error?: unknown
  }
  return [
    response.status,
    error,
    meta?.pagination.total,
    data?.map(({ attributes: { number, title, body } }) => [number, title, body]),
  ]
}

test('searches find the same with and without an index', { timeout: 600_000 }, async () => {
  const [plain, indexed] = [cms.entries('plain'), cms.entries('indexed')]
  let finds = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 12 }),
      fc.array(asked, { minLength: 5, maxLength: 12 }),
      async (writes, questions) => {
        for (const entries of [plain, indexed])
          for (const { id } of await entries.findMany()) await entries.delete(id)
        const ids: [number, number][] = []
        const texts: string[] = []
        for (const { kind, at, data } of writes) {
          const { words, ...own } = data
          const given = { ...own, part: { words, others: words } }
          const [a, b] = ids[at % Math.max(1, ids.length)] ?? [0, 0]
          if (kind === 'create' || ids.length === 0)
            ids.push([(await plain.create(given)).id, (await indexed.create(given)).id])
          else if (kind === 'update') await Promise.all([plain.update(a, given), indexed.update(b, given)])
          else {
            await Promise.all([plain.delete(a), indexed.delete(b)])
            ids.splice(at % ids.length, 1)
          }
          texts.push(...[data.title, data.body, words].filter((one) => one !== null))
        }
        for (const { operator, other, from, start, length, term, upper, stored } of questions) {
          const whole = stored ? (texts[from % Math.max(1, texts.length)] ?? term) : term
          const some = stored ? [...whole].slice(start, start + length).join('') : whole
          const searched = upper ? some.toUpperCase() : some
          const queries: Record<string, string>[] = [
            { [`filters[title][${operator}]`]: searched },
            {
              [`filters[$or][0][title][${operator}]`]: searched,
              [`filters[$or][1][body][${other}]`]: searched,
            },
            {
              [`filters[$and][0][title][${operator}]`]: searched,
              [`filters[$and][1][body][${other}]`]: searched,
            },
            { [`filters[$not][title][${operator}]`]: searched },
            {
              [`filters[$not][$or][0][title][${operator}]`]: searched,
              [`filters[$not][$or][1][body][${other}]`]: 'aaa',
            },
            { [`filters[part][words][${operator}]`]: searched, sort: 'number:desc' },
          ]
          // Over an index, only quoted words are one text.
          const phrase = searched.replaceAll('"', '').trim()
          const searches = [{ _q: phrase, sort: 'number,title' }]
          for (const query of [...queries, ...searches]) {
            const expected = await found('plain', query)
            if (Array.isArray(expected) && expected[2] > 0) finds += 1
            const same = query['_q'] === undefined ? query : { ...query, _q: `"${phrase}"` }
            expect(await found('indexed', same), JSON.stringify(same)).toEqual(expected)
          }
        }
      },
    ),
    { numRuns: process.env['LONG'] === undefined ? 15 : 400 },
  )
  // Questions that find nothing would be equal, too.
  expect(finds).toBeGreaterThan(100)
})
