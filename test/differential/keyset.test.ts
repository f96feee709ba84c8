// `pagination[after]` over random entries: the pages behind each other are the whole list in its order, whatever comes
// in between; and cursors that are not from this question are refused.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

let cms: Cms
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(
    {
      contentTypes: {
        thing: {
          index: ['whole', ['flag', 'text']],
          attributes: {
            text: 'string',
            whole: 'integer',
            big: 'biginteger',
            real: 'float',
            exact: 'decimal',
            flag: 'boolean',
            day: 'date',
            hour: 'time',
            at: 'datetime',
            twice: { computed: 'whole * 2' },
            hidden: { type: 'string', private: true },
            list: 'json',
            other: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
          },
        },
      },
      auth: { roles: { public: { permissions: ['thing.*'] } } },
    },
    { env: {}, ...database.options },
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 })
const entry = fc.record({
  text: sometimes(fc.constantFrom('', 'a', 'A', 'é', '😀', '"\\', 'b c')),
  whole: sometimes(fc.integer({ min: -1, max: 1 })),
  big: sometimes(fc.constantFrom('9007199254740993', '-9007199254740993', '1')),
  real: sometimes(fc.constantFrom(-1.5, 0.1, 0.30000000000000004, 1e300)),
  exact: sometimes(fc.constantFrom(-1.5, 0.1, 2)),
  flag: sometimes(fc.boolean()),
  day: sometimes(fc.constantFrom('2024-01-31', '2024-02-01')),
  hour: sometimes(fc.constantFrom('10:00:00.000', '10:00:00.001')),
  at: sometimes(fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z')),
})
const names = ['text', 'whole', 'big', 'real', 'exact', 'flag', 'day', 'hour', 'at', 'twice', 'createdAt']
const sort = fc.array(
  fc.tuple(fc.constantFrom(...names, 'id'), fc.constantFrom('asc', 'desc')).map((key) => key.join(':')),
  { maxLength: 3 },
)

type Given = Readonly<Record<string, unknown>>

interface Answer {
  readonly status: number
  readonly ids: readonly number[]
  readonly pagination: Record<string, unknown> & { readonly next?: string | null }
  readonly message: string | undefined
}

async function ask(query: Record<string, string>): Promise<Answer> {
  const response = await cms.fetch(`/api/things?${new URLSearchParams(query)}`)
  const { data, meta, error } = (await response.json()) as {
    data: { id: number }[] | null
    meta?: { pagination: Answer['pagination'] }
    error?: { message: string }
  }
  const ids = (data ?? []).map(({ id }) => id)
  return { status: response.status, ids, pagination: meta?.pagination ?? {}, message: error?.message }
}

test('pages behind each other are the whole list', { timeout: 600_000 }, async () => {
  const things = cms.entries('thing')
  let pages = 0
  const property = async (
    entries: Given[],
    more: Given[],
    keys: string[],
    size: number,
    filtered: boolean,
  ) => {
    for (const { id } of await things.findMany()) await things.delete(id)
    for (const one of entries) await things.create(one)
    const question = {
      ...(keys.length > 0 && { sort: keys.join() }),
      ...(filtered && { 'filters[flag][$ne]': 'true' }),
    }
    const first = (await ask({ ...question, 'pagination[limit]': '100' })).ids
    const found: number[] = []
    const added = [...more]
    let cursor: string | null | undefined = ''
    while (cursor !== null && cursor !== undefined) {
      const page = await ask({
        ...question,
        'pagination[after]': cursor,
        'pagination[pageSize]': String(size),
      })
      expect(page.status, page.message).toBe(200)
      expect(page.ids.length).toBeLessThanOrEqual(size)
      found.push(...page.ids)
      cursor = page.pagination.next
      expect(cursor).not.toBeUndefined()
      pages += 1
      const next = added.shift()
      if (next !== undefined) await things.create(next)
    }
    // What was there is shown once and in its order; what came meanwhile at most once.
    expect(found.filter((id) => first.includes(id))).toEqual(first)
    expect(new Set(found).size).toBe(found.length)
    const after = (await ask({ ...question, 'pagination[limit]': '100' })).ids
    expect(after.filter((id) => found.includes(id))).toEqual(found)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 9 }),
      fc.array(entry, { maxLength: 2 }),
      sort,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      property,
    ),
    { numRuns: process.env['LONG'] === undefined ? 40 : 1000 },
  )
  // Most runs need more than one page.
  expect(pages).toBeGreaterThan(55)
})

test('the answer says what there is, and cursors of another question are refused', async () => {
  const things = cms.entries('thing')
  for (const { id } of await things.findMany()) await things.delete(id)
  for (const whole of [1, 2, 3])
    await things.create({ whole, text: 'x'.repeat(whole * 2500), hidden: 'secret' })
  const after = (cursor: string, more: Record<string, string> = {}) =>
    ask({ 'pagination[after]': cursor, 'pagination[pageSize]': '1', sort: 'whole', ...more })
  const { pagination } = await after('')
  expect(pagination).toEqual({ pageSize: 1, next: expect.any(String), total: 3 })
  const next = pagination.next ?? ''
  expect((await after(next, { 'pagination[withCount]': 'false' })).pagination).toEqual({
    pageSize: 1,
    next: expect.any(String),
  })
  expect(Buffer.from(next, 'base64url').toString()).not.toContain('secret')
  const last = await ask({ 'pagination[after]': next, 'pagination[limit]': '5', sort: 'whole' })
  expect(last.pagination).toEqual({ pageSize: 5, next: null, total: 3 })
  const json = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[]
  const made = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')
  for (const [cursor, more] of [
    [next, { sort: 'whole:desc' }],
    [next, { sort: 'whole,text' }],
    [next, { 'filters[whole]': '1' }],
    [next, { _q: 'x' }],
    [next, { publicationState: 'preview' }],
    ['x', {}],
    ['a b', {}],
    ['A'.repeat(6001), {}],
    [made(json.slice(0, 2)), {}],
    [made([...json, 1]), {}],
    [made({}), {}],
    [made([json[0], {}, 1]), {}],
    [made([json[0], 'many', 1]), {}],
    [next, { 'pagination[page]': '2' }],
    [next, { 'pagination[start]': '2' }],
    [next, { sort: 'other.whole' }],
    ['', { sort: 'list' }],
    ['', { sort: 'hidden' }],
  ] as const) {
    const refused = await after(cursor, more)
    expect([cursor, more, refused.status]).toEqual([cursor, more, 400])
  }
  const long = await ask({ 'pagination[after]': '', 'pagination[pageSize]': '3', sort: 'text' })
  expect([long.status, long.message]).toEqual([400, expect.stringContaining('too long to go on behind')])
})
