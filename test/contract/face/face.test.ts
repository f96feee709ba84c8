// The same questions over REST and GraphQL: what is found, its order, its page, what stands within it and what is
// refused must be the same.

import fc from 'fast-check'
import { stringify } from 'qs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '%', '_', 'é', ' '), maxLength: 3 })
const whole = fc.integer({ min: -2, max: 3 })

/** Operators without their `$`; values that both APIs write alike. */
const textCondition = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('eq', 'eqi', 'ne', 'contains', 'notContains', 'containsi', 'startsWith', 'endsWith'),
      letters,
    )
    .map(([operator, value]) => ({ [operator]: value })),
  fc.boolean().map((value) => ({ null: value })),
)
const wholeCondition = fc.oneof(
  fc
    .tuple(fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'), whole)
    .map(([operator, value]) => ({ [operator]: value })),
  fc
    .tuple(fc.constantFrom('in', 'notIn'), fc.array(whole, { minLength: 1, maxLength: 3 }))
    .map(([operator, list]) => ({
      [operator]: list,
    })),
  fc.tuple(whole, whole).map((pair) => ({ between: pair })),
)
type Filter = { readonly [key: string]: unknown }
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  textCondition.map((condition) => ({ text: condition })),
  wholeCondition.map((condition) => ({ whole: condition })),
  fc.boolean().map((value) => ({ flag: { eq: value } })),
  fc.integer({ min: 1, max: 9 }).map((id) => ({ id: { lte: id } })),
)
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((parts) => ({ and: parts })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((parts) => ({ or: parts })),
    tie('filter').map((part) => ({ not: part })),
    leaf.map((part) => ({ one: part })),
    leaf.map((part) => ({ many: part })),
  ),
}))
const sort = fc.array(fc.constantFrom('text', 'text:desc', 'whole', 'whole:desc', 'id:desc', 'one.text'), {
  maxLength: 2,
})
const question = fc.record({
  filters: filter,
  sort,
  start: fc.nat(4),
  limit: fc.integer({ min: 1, max: 6 }),
  state: fc.constantFrom('live', 'preview'),
})
const entry = fc.record({
  text: fc.option(letters),
  whole: fc.option(whole),
  flag: fc.option(fc.boolean()),
  one: fc.option(fc.integer({ min: 1, max: 4 })),
  many: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  publishedAt: fc.constantFrom('2024-01-01T00:00:00.000Z', null),
})

const DOCUMENT = `query ($filters: ThingFiltersInput, $sort: [String], $start: Int, $limit: Int, $state: PublicationState) {
  things(filters: $filters, sort: $sort, pagination: { start: $start, limit: $limit }, publicationState: $state) {
    data { id attributes { text whole flag one { data { id attributes { text } } } many(publicationState: $state) { data { id } } } }
    meta { pagination { total } }
  }
}`

const joiners: ReadonlySet<string> = new Set(['and', 'or', 'not'])
const related: ReadonlySet<string> = new Set(['one', 'many'])

/** As REST writes it: operators and joiners with their `$`. */
function restFilter(given: Filter): Filter {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (Array.isArray(value)) return [`$${key}`, value.map((part) => restFilter(part))]
      if (joiners.has(key)) return [`$${key}`, restFilter(value as Filter)]
      if (related.has(key)) return [key, restFilter(value as Filter)]
      const operators = Object.entries(value as Filter).map(([operator, operand]) => [
        `$${operator}`,
        operand,
      ])
      return [key, Object.fromEntries(operators)]
    }),
  )
}

type Asked = ReturnType<typeof question.generate> extends fc.Value<infer T> ? T : never

let cms: Cms
let database: TestDatabase
let empty: () => Promise<void>

beforeAll(async () => {
  const scalars = { text: 'string', whole: 'integer', flag: 'boolean' }
  const options = { draftAndPublish: true }
  database = await openTestDatabase()
  cms = await createCms(
    {
      plugins: { graphql: true },
      contentTypes: {
        thing: {
          options,
          attributes: {
            ...scalars,
            one: { type: 'relation', relation: 'manyToOne', target: 'api::other.other' },
            many: { type: 'relation', relation: 'manyToMany', target: 'api::other.other' },
          },
        },
        other: { options, attributes: scalars },
      },
      auth: { roles: { public: { permissions: ['*.find'] } } },
    },
    database.options,
  )
  empty = await database.keep(cms)
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

async function overRest({ filters, sort: keys, start, limit, state }: Asked): Promise<unknown> {
  const query = stringify(
    {
      filters: restFilter(filters),
      ...(keys.length === 0 ? {} : { sort: keys }),
      pagination: { start, limit },
      publicationState: state,
      fields: ['text', 'whole', 'flag'],
      populate: { one: { fields: ['text'] }, many: { fields: ['id'] } },
    },
    { encodeValuesOnly: true },
  )
  const answer = await cms.fetch(`/api/things?${query}`)
  const { data, meta, error } = (await answer.json()) as RestAnswer
  if (error !== undefined) return error.message
  return { data: data.map(bare), total: meta.pagination.total }
}

async function overGraphql({ filters, sort: keys, start, limit, state }: Asked): Promise<unknown> {
  const variables = { filters, sort: keys, start, limit, state: state.toUpperCase() }
  const answer = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: DOCUMENT, variables }),
  })
  const { data, errors } = (await answer.json()) as GraphqlAnswer
  if (errors !== undefined) return errors[0].message
  return { data: data.things.data.map(bare), total: data.things.meta.pagination.total }
}

interface RestAnswer {
  readonly data: readonly Shown[]
  readonly meta: { readonly pagination: { readonly total: number } }
  readonly error?: { readonly message: string }
}
interface GraphqlAnswer {
  readonly data: {
    readonly things: {
      readonly data: readonly Shown[]
      readonly meta: { readonly pagination: { readonly total: number } }
    }
  }
  readonly errors?: readonly [{ readonly message: string }]
}
interface Shown {
  readonly id: number | string
  readonly attributes: { readonly [name: string]: unknown }
}

/** Ids are numbers over REST and text over GraphQL; entries of REST have a `meta` of their own. */
function bare({ id, attributes }: Shown): unknown {
  const { one, many, ...scalars } = attributes as {
    readonly one: { readonly data: Shown | null }
    readonly many: { readonly data: readonly Shown[] }
  }
  return {
    id: Number(id),
    ...scalars,
    one: one.data === null ? null : { id: Number(one.data.id), text: one.data.attributes['text'] },
    many: many.data.map((other) => Number(other.id)),
  }
}

test('2,000 random questions are answered alike', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 8 }),
      fc.array(entry, { minLength: 4, maxLength: 4 }),
      fc.array(question, { minLength: 20, maxLength: 20 }),
      async (things, others, questions) => {
        await empty()
        for (const { one: _, many: __, ...data } of others) await cms.entries('other').create(data)
        for (const data of things) await cms.entries('thing').create(data)
        for (const asked of questions) {
          const [rest, graphql] = await Promise.all([overRest(asked), overGraphql(asked)])
          expect(graphql).toEqual(rest)
          found += (rest as { total?: number }).total ?? 0
        }
      },
    ),
    { numRuns: 100 },
  )
  expect(found).toBeGreaterThan(500)
})

test.each([
  ['an unknown sort key', { filters: {}, sort: ['nope'], start: 0, limit: 1, state: 'live' }],
  ['a direction that is none', { filters: {}, sort: ['text:down'], start: 0, limit: 1, state: 'live' }],
  [
    'a between of one value',
    { filters: { whole: { between: [1] } }, sort: [], start: 0, limit: 1, state: 'live' },
  ],
] as const)('%s is refused in the same words', async (_name, asked) => {
  const refusal = await overRest(asked as unknown as Asked)
  expect(refusal).toBeTypeOf('string')
  expect(await overGraphql(asked as unknown as Asked)).toBe(refusal)
})
