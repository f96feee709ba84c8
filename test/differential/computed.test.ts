// Computed attributes and checks over random entries: what the database answers, finds, sorts and refuses is what the
// same expression is worth in memory.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkExpression } from '../../src/expressions/check-expression.ts'
import { evaluateExpression } from '../../src/expressions/evaluate-expression.ts'
import type { Expression, Scope, Type } from '../../src/expressions/expression.ts'
import { loadExpressionParser } from '../../src/expressions/load-parser.ts'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const kinds: Readonly<Record<string, Type['kind']>> = {
  one: 'text',
  two: 'text',
  whole: 'int',
  other: 'int',
  real: 'number',
  flag: 'bool',
  day: 'date',
  at: 'moment',
}
const types = {
  one: 'string',
  two: 'text',
  whole: 'integer',
  other: 'integer',
  real: 'float',
  flag: 'boolean',
  day: 'date',
  at: 'datetime',
}

const texts = [
  'one + "-" + two',
  'size(one) + size(two)',
  'whole + other * 2',
  'whole / other',
  'whole / 2.0 - real',
  '-whole',
  'real * real > 1.0',
  'whole > other || flag',
  '!(flag && one == two)',
  'one == null ? "none" : one',
  'flag ? whole : other',
  'flag ? one : "x" + two',
  'one.contains("a") && two.startsWith(one)',
  'two.endsWith(one)',
  'day < "2024-02-01"',
  'at > timestamp("2024-01-01T00:00:00Z")',
  'flag ? at : null',
  'whole in [1, 2, 3]',
  'one in ["a", "é"] || has(two)',
  'whole >= 0 ? (whole > 1 ? "many" : "few") : "none"',
] as const

const expressions = new Map<string, Expression>()
let cms: Cms
let database: TestDatabase

beforeAll(async () => {
  await loadExpressionParser()
  const shape = {
    name: 'thing',
    member: (name: string) => (kinds[name] === undefined ? undefined : ({ kind: kinds[name] } as Type)),
    names: Object.keys(kinds),
  }
  const scope: Scope = { entry: shape, variables: new Map() }
  for (const [place, text] of texts.entries()) {
    const checked = checkExpression(text, scope)
    if (!checked.ok) throw new Error(`${text}: ${checked.fault.message}`)
    expressions.set(`c${place}`, checked.expression)
  }
  database = await openTestDatabase()
  const computed = Object.fromEntries(texts.map((text, place) => [`c${place}`, { computed: text }]))
  cms = await createCms(
    {
      contentTypes: {
        thing: { attributes: { ...types, ...computed } },
        ruled: {
          attributes: types,
          checks: texts
            .filter((_, place) => expressions.get(`c${place}`)?.type.kind === 'bool')
            .map((that) => ({ that })),
        },
      },
      auth: { roles: { public: { permissions: ['thing.*', 'ruled.*'] } } },
    },
    { env: {}, ...database.options },
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', 'B', ' '), maxLength: 3 })
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 })
const entry = fc.record({
  one: sometimes(text),
  two: sometimes(text),
  whole: sometimes(fc.integer({ min: -3, max: 3 })),
  other: sometimes(fc.integer({ min: -2, max: 2 })),
  real: sometimes(fc.constantFrom(-1.5, 0, 0.25, 2.5, 1e12)),
  flag: sometimes(fc.boolean()),
  day: sometimes(fc.constantFrom('2024-01-31', '2024-02-01', '1999-12-31')),
  at: sometimes(fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z')),
})
type Entry = Readonly<Record<string, unknown>>

const runs = { numRuns: process.env['LONG'] === undefined ? 25 : 500 }

function worth(name: string, of: Entry): unknown {
  const expression = expressions.get(name)
  if (expression === undefined) throw new Error(name)
  const value = evaluateExpression(expression, { entry: of, variables: {} })
  return expression.type.kind === 'moment' && typeof value === 'number'
    ? new Date(value).toISOString()
    : value
}

async function get(query: string): Promise<{ id: number; attributes: Record<string, unknown> }[]> {
  const response = await cms.fetch(`/api/things?pagination[pageSize]=100&${query}`)
  const { data } = (await response.json()) as { data: { id: number; attributes: Record<string, unknown> }[] }
  expect(response.status, query).toBe(200)
  return data
}

test('values are answered, found and sorted as they are worth', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 6 }), async (entries) => {
      for (const old of await cms.entries('thing').findMany()) await cms.entries('thing').delete(old.id)
      const stored = new Map<number, Entry>()
      for (const one of entries) stored.set((await cms.entries('thing').create(one)).id, one)
      const answered = await get('')
      for (const name of expressions.keys()) {
        const values = new Map([...stored].map(([id, one]) => [id, worth(name, one)]))
        for (const { id, attributes } of answered)
          expect(attributes[name], texts[Number(name.slice(1))]).toEqual(values.get(id))
        const [wanted] = [...values.values()].filter((value) => value !== null)
        if (wanted !== undefined) {
          const found = await get(`filters[${name}]=${encodeURIComponent(String(wanted))}&sort=id&fields=id`)
          expect(found.map(({ id }) => id)).toEqual(
            [...values].filter(([, value]) => value === wanted).map(([id]) => id),
          )
        }
        const missing = await get(`filters[${name}][$null]=true&sort=id&fields=id`)
        expect(missing.map(({ id }) => id)).toEqual(
          [...values].filter(([, value]) => value === null).map(([id]) => id),
        )
        const sorted = await get(`sort=${name}&fields=id`)
        expect(sorted.map(({ id }) => id)).toEqual(
          [...values].sort(([a, x], [b, y]) => compare(x, y) || a - b).map(([id]) => id),
        )
      }
    }),
    runs,
  )
})

function compare(x: unknown, y: unknown): number {
  if (x === null || y === null) return Number(x !== null) - Number(y !== null)
  if (typeof x === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(String(y)))
  return Number(x) - Number(y)
}

/** Entries whose two sides are alike, and one to each side of that. */
const edges = [
  { whole: 1, other: 2, real: 0.25, one: 'a', two: 'ab', day: '2024-01-31', at: '2024-01-01T00:00:00.000Z' },
  { whole: 2, other: 2, real: 2.5, one: 'ab', two: 'ab', day: '2024-02-01', at: '2024-01-01T00:00:00.001Z' },
  { whole: 3, other: 2, real: 4.5, one: 'b', two: 'ab', day: '2024-02-02', at: '2024-01-01T00:00:00.002Z' },
]
const [BELOW, ALIKE, ABOVE] = [0, 1, 2]
const COMPARED: readonly (readonly [operator: string, holds: readonly number[]])[] = [
  ['<', [BELOW]],
  ['<=', [BELOW, ALIKE]],
  ['>', [ABOVE]],
  ['>=', [ALIKE, ABOVE]],
  ['==', [ALIKE]],
  ['!=', [BELOW, ABOVE]],
]
const SIDES = [
  ['whole', 'other'],
  ['whole * 1', '2'],
  ['whole', '2'],
  ['real', '2.5'],
  ['real + 0.0', '2.5'],
  ['one', 'two'],
  ['one', '"ab"'],
  ['day', '"2024-02-01"'],
  ['at', 'timestamp("2024-01-01T00:00:00.001Z")'],
] as const

test('each comparison holds up to its edge, from both sides, as a value and as a rule', async () => {
  const asked = SIDES.flatMap(([left, right]) =>
    COMPARED.flatMap(([operator, holds]) => {
      const mirrored = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }[operator]
      const one = { text: `${left} ${operator} ${right}`, holds }
      return mirrored === undefined ? [one] : [one, { text: `${right} ${mirrored} ${left}`, holds }]
    }),
  )
  const own = await openTestDatabase()
  const edge = await createCms(
    {
      contentTypes: {
        edge: {
          attributes: {
            ...types,
            ...Object.fromEntries(asked.map(({ text }, place) => [`c${place}`, { computed: text }])),
          },
        },
      },
      auth: {
        roles: { public: { permissions: [] } },
        apiTokens: [
          { name: 'all', type: 'custom', token: 'token-that-sees-all', permissions: ['edge.read'] },
          ...asked.map(({ text }, place) => ({
            name: `t${place}`,
            type: 'custom',
            token: `token-of-the-rule-${place}`,
            permissions: [{ 'edge.find': { where: text } }],
          })),
        ],
      },
      data: { edge: edges.map((one, place) => ({ id: place + 1, ...one })) },
    },
    { env: {}, ...own.options },
  )
  const list = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await edge.fetch('/api/edges', { headers })
    return ((await response.json()) as { data: { id: number; attributes: Record<string, unknown> }[] }).data
  }
  const all = await list('token-that-sees-all')
  expect(all).toHaveLength(3)
  for (const [place, { text, holds }] of asked.entries()) {
    const values = all.flatMap(({ attributes }, at) => (attributes[`c${place}`] === true ? [at] : []))
    const ruled = (await list(`token-of-the-rule-${place}`)).map(({ id }) => id - 1)
    expect({ text, values, ruled }).toEqual({ text, values: holds, ruled: holds })
  }
  await edge.close()
  await own.drop()
})

test('a write is refused for the rules that are false of the entry as it would be', async () => {
  await fc.assert(
    fc.asyncProperty(
      entry,
      fc.array(fc.constantFrom(...Object.keys(types)), { maxLength: 4 }),
      async (one, kept) => {
        // One that no rule is false of: whatever is missing is unknown.
        const empty = await cms.entries('ruled').create({})
        const change = Object.fromEntries(Object.entries(one).filter(([name]) => !kept.includes(name)))
        const body = JSON.stringify({ data: change })
        const response = await cms.fetch(`/api/ruleds/${empty.id}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body,
        })
        const answer = (await response.json()) as { error?: { details: { errors: { message: string }[] } } }
        const broken = texts.filter(
          (_, place) =>
            worth(`c${place}`, change) === false && expressions.get(`c${place}`)?.type.kind === 'bool',
        )
        expect(answer.error?.details.errors.map(({ message }) => message) ?? []).toEqual(
          broken.map((that) => `${that} does not hold`),
        )
      },
    ),
    { numRuns: runs.numRuns * 4 },
  )
})
