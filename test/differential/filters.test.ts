// Random entries, filters, sorts and pages: SQL and the oracle must pick the same entries in the same order.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { evaluate, type OracleSort, type Row, sortRows } from './oracle.ts'

const letters = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'B', '%', '_', '\\', 'é', 'É', '😀', ' '),
  maxLength: 4,
})
const values = {
  text: letters,
  whole: fc.integer({ min: -3, max: 3 }),
  real: fc.constantFrom(-1.5, 0, 0.5, 2.25),
  flag: fc.boolean(),
  day: fc.constantFrom('2024-01-01', '2024-02-29', '1999-12-31'),
} as const

type Name = keyof typeof values
const names = Object.keys(values) as Name[]
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 })

const entry = fc.record({
  text: sometimes(values.text),
  whole: sometimes(values.whole),
  real: sometimes(values.real),
  flag: sometimes(values.flag),
  day: sometimes(values.day),
  one: sometimes(fc.integer({ min: 1, max: 4 })),
  many: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
})

const anyOperators = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte'] as const
const textOperators = [
  '$eqi',
  '$nei',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
] as const

function conditionOn(name: Name): fc.Arbitrary<Record<string, unknown>> {
  const value: fc.Arbitrary<unknown> = values[name]
  const kinds: fc.Arbitrary<Record<string, unknown>>[] = [
    fc.tuple(fc.constantFrom(...anyOperators), value).map(([operator, operand]) => ({ [operator]: operand })),
    fc
      .tuple(fc.constantFrom('$in', '$notIn'), fc.array(value, { maxLength: 3 }))
      .map(([operator, operand]) => ({ [operator]: operand })),
    fc.tuple(value, value).map((pair) => ({ $between: pair })),
    fc
      .tuple(fc.constantFrom('$null', '$notNull'), fc.boolean())
      .map(([operator, operand]) => ({ [operator]: operand })),
  ]
  if (name === 'text') {
    kinds.push(
      fc.tuple(fc.constantFrom(...textOperators), letters).map(([operator, text]) => ({ [operator]: text })),
    )
  }
  const one = fc.oneof(...kinds)
  return fc.oneof(
    { weight: 5, arbitrary: one },
    { weight: 1, arbitrary: one.map((condition) => ({ $not: condition })) },
  )
}

const leaf: fc.Arbitrary<Record<string, unknown>> = fc
  .constantFrom(...names)
  .chain((name) => conditionOn(name).map((condition) => ({ [name]: condition })))

const { filter } = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((parts) => ({ $and: parts })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((parts) => ({ $or: parts })),
    tie('filter').map((part) => ({ $not: part })),
    leaf.map((part) => ({ one: part })),
    leaf.map((part) => ({ many: part })),
  ),
}))

const sorts: fc.Arbitrary<OracleSort[]> = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...names), descending: fc.boolean() }),
  { maxLength: 3, selector: ({ name }) => name },
)

let cms: Cms
let database: TestDatabase
let empty: () => Promise<void>

beforeAll(async () => {
  const scalars = { text: 'string', whole: 'integer', real: 'decimal', flag: 'boolean', day: 'date' }
  database = await openTestDatabase()
  const config = {
    contentTypes: {
      thing: {
        attributes: {
          ...scalars,
          one: { type: 'relation', relation: 'manyToOne', target: 'api::other.other', inversedBy: 'things' },
          many: { type: 'relation', relation: 'oneToMany', target: 'api::other.other' },
        },
      },
      other: {
        attributes: {
          ...scalars,
          things: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'one' },
        },
      },
    },
  }
  cms = await createCms(config, database.options)
  empty = await database.keep(cms)
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

/** Each set of entries is asked this many questions. */
const QUESTIONS = 40
const SETS = 250

test(`${SETS * QUESTIONS} random questions are answered as the oracle answers them`, async () => {
  let asked = 0
  let hits = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 12 }),
      fc.array(entry, { minLength: 4, maxLength: 4 }),
      fc.array(fc.tuple(filter, sorts, fc.nat(4), fc.integer({ min: 1, max: 6 })), {
        minLength: QUESTIONS,
        maxLength: QUESTIONS,
      }),
      async (things, others, questions) => {
        await empty()
        const stored: Row[] = []
        for (const [index, { one: _one, many: _many, ...scalars }] of others.entries()) {
          await cms.entries('other').create(scalars)
          stored.push({ id: index + 1, ...scalars })
        }
        const rows: Row[] = []
        for (const [index, thing] of things.entries()) {
          await cms.entries('thing').create(thing)
          const related = (id: number): Row | undefined => stored[id - 1]
          rows.push({
            ...thing,
            id: index + 1,
            one: thing.one === null ? null : (related(thing.one) ?? null),
            many: thing.many.map(related),
          })
        }
        for (const [filters, by, start, limit] of questions) {
          const expected = sortRows(
            rows.filter((row) => evaluate(row, filters) === true),
            by,
          )
          const sort = by.map(({ name, descending }) => `${name}:${descending ? 'desc' : 'asc'}`)
          const found = await cms.entries('thing').findMany({ filters, sort, start, limit })
          const total = await cms.entries('thing').count({ filters })
          const label = JSON.stringify({ filters, sort })
          expect(total, label).toBe(expected.length)
          expect(
            found.map(({ id }) => id),
            label,
          ).toEqual(expected.slice(start, start + limit).map(({ id }) => id))
          asked += 1
          hits += expected.length > 0 ? 1 : 0
        }
      },
    ),
    { numRuns: SETS },
  )
  expect(asked).toBe(SETS * QUESTIONS)
  // A test whose questions never match anything would prove nothing.
  expect(hits).toBeGreaterThan(asked / 10)
})
