// Aggregates under random rules: every number is that of the entries which the same caller can read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking, signedToken } from '../support/callers.ts'
import { flattenEnvelopes } from '../support/flatten-envelopes.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { oneOf, type Random, randomOf, SECRET, USERS, whole, worldOf } from './rule-worlds.ts'

const long = process.env['LONG'] === '1'
const WORLDS = long ? 100 : 5
const QUESTIONS = long ? 200 : 80

type Value = string | number | boolean | null
type Entry = Readonly<Record<string, unknown>>

const NUMBERS = ['count', 'price', 'big', 'main.count', 'main.price', 'main.main.count', 'box.size', 'id']
const ORDERED = [...NUMBERS, 'title', 'at', 'day', 'main.title', 'main.at', 'mood']
const ALL = [...ORDERED, 'open', 'team.open', 'author.username']
const PARTS = ['day', 'week', 'month', 'year']
const GROUPS = [
  ...['mood', 'open', 'count', 'title', 'day', 'team.name', 'team.open', 'main.title', 'main.main.mood'],
  ...['box.size', 'author.username', 'box.owner.username', 'main.team.name', 'big', 'at'],
  ...PARTS.flatMap((part) => [`${part}(at)`, `${part}(day)`, `${part}(main.at)`]),
]
const FILTERS = [
  '',
  'filters[count][$gte]=1',
  'filters[main][count][$lt]=3',
  'filters[$or][0][open]=true&filters[$or][1][mood]=sad',
  'filters[members][id][$notNull]=true',
  'filters[title][$ne]=a',
  '_q=b',
]

describe.each(Array.from({ length: WORLDS }, (_, index) => index + 1))('world %i', (seed) => {
  const random = randomOf(seed)
  const world = worldOf(random)
  let cms: Cms
  let database: TestDatabase
  let send: Ask

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms(world.config, { env: {}, ...database.options })
    const signed = USERS.map(async (name, index) => [name, await signedToken(SECRET, index + 1)] as const)
    send = asking(cms, Object.fromEntries(await Promise.all(signed)))
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })

  test(`${QUESTIONS} questions`, async () => {
    for (let number = 0; number < QUESTIONS; number++) {
      const who = oneOf(random, ['', ...USERS])
      const filter = oneOf(random, FILTERS)
      const { groupBy, measures, having, sort } = questionOf(random)
      const query = [
        filter,
        ...measures.map(
          (name) => `aggregate[${name.replace(/\..*/, '')}]=${name.replace(/^\w+\.?/, '') || '*'}`,
        ),
        ...groupBy.map((name) => `groupBy=${name}`),
        ...(having === undefined
          ? []
          : [`having${bracketsOf(having.name)}[${having.operator}]=${having.bound}`]),
        ...(sort === undefined ? [] : [`sort=${sort.name}${sort.descending ? ':desc' : ''}`]),
      ]
      const path = `/api/docs/aggregate?${query.filter((part) => part !== '').join('&')}`
      const entries = await read(who, filter)
      const { status, json } = await send(who, 'GET', path)
      expect({ path, status, error: (json as { error?: unknown }).error }).toEqual({ path, status: 200 })
      const { data, meta } = json as { data: readonly Entry[]; meta: { pagination: { total: number } } }
      const expected = summarize(entries, groupBy, [...new Set(measures)], having)
      expect({ who, path, rows: [...data].map(rounded).sort(byText) }).toEqual({
        who,
        path,
        rows: expected.map(rounded).sort(byText),
      })
      expect(meta.pagination.total).toBe(expected.length)
      // A group's name comes before a measure's.
      if (sort !== undefined && measures.includes(sort.name) && !groupBy.includes(sort.name))
        expect({
          path,
          sorted: isSorted(
            data.map((row) => shownMeasure(row, sort.name)),
            sort.descending,
          ),
        }).toEqual({ path, sorted: true })
      const counted = await send(who, 'GET', `/api/docs/count?${filter}`)
      expect(counted.json).toEqual({ data: { count: entries.length }, meta: {} })
    }
  })

  async function read(who: string, filter: string): Promise<readonly Entry[]> {
    const populate = ['team', 'main.main', 'main.team', 'box.owner', 'author'].join(',')
    const { json } = await send(
      who,
      'GET',
      `/api/docs?${filter}&populate=${populate}&pagination[pageSize]=100`,
    )
    return (json as { data: readonly Entry[] }).data.map((entry) => flattenEnvelopes(entry) as Entry)
  }
})

interface Question {
  readonly groupBy: readonly string[]
  readonly measures: readonly string[]
  readonly having: Having | undefined
  readonly sort: { readonly name: string; readonly descending: boolean } | undefined
}

interface Having {
  readonly name: string
  readonly operator: '$gt' | '$lte' | '$eq' | '$ne'
  readonly bound: number
}

function questionOf(random: Random): Question {
  const groupBy = [...new Set(Array.from({ length: whole(random, 4) }, () => oneOf(random, GROUPS)))]
  const measures = Array.from({ length: 1 + whole(random, 4) }, () => measureOf(random))
  const compared = [...measures, 'count', 'avg.price', 'sum.count'].filter((name) =>
    /^(count|sum|avg)/.test(name),
  )
  return {
    groupBy,
    measures,
    having:
      random() < 0.3
        ? {
            name: oneOf(random, compared),
            operator: oneOf(random, ['$gt', '$lte', '$eq', '$ne'] as const),
            bound: whole(random, 4),
          }
        : undefined,
    sort:
      random() < 0.5
        ? { name: oneOf(random, [...measures, ...groupBy]), descending: random() < 0.5 }
        : undefined,
  }
}

function measureOf(random: Random): string {
  switch (whole(random, 5)) {
    case 0:
      return 'count'
    case 1:
      return `${oneOf(random, ['count', 'countDistinct'])}.${oneOf(random, ALL)}`
    case 2:
      return `${oneOf(random, ['min', 'max'])}.${oneOf(random, ORDERED)}`
    default:
      return `${oneOf(random, ['sum', 'avg'])}.${oneOf(random, NUMBERS)}`
  }
}

function bracketsOf(name: string): string {
  const [fn = '', ...path] = name.split('.')
  return `[${fn}]${path.length === 0 ? '' : `[${path.join('.')}]`}`
}

function valueAt(entry: unknown, path: string): Value {
  const found = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], entry)
  return (found ?? null) as Value
}

function groupValue(entry: Entry, name: string): Value {
  const [, part, path = name] = /^(\w+)\((.*)\)$/.exec(name) ?? []
  const value = valueAt(entry, path)
  if (part === undefined || value === null) return value
  const day = String(value).slice(0, 10)
  if (part === 'week') {
    const date = new Date(day)
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    return date.toISOString().slice(0, 10)
  }
  return day.slice(0, { day: 10, month: 7, year: 4 }[part])
}

function summarize(
  entries: readonly Entry[],
  groupBy: readonly string[],
  measures: readonly string[],
  having: Having | undefined,
): readonly Entry[] {
  const groups = new Map<string, Entry[]>()
  if (groupBy.length === 0) groups.set('[]', [])
  for (const entry of entries) {
    const key = JSON.stringify(groupBy.map((name) => groupValue(entry, name)))
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups]
    .filter(([, members]) => having === undefined || isKept(measure(members, having.name), having))
    .map(([key, members]) => ({
      ...(groupBy.length > 0 && {
        group: Object.fromEntries((JSON.parse(key) as Value[]).map((value, at) => [groupBy[at], value])),
      }),
      ...shownMeasures(measures.map((name) => [name, measure(members, name)])),
    }))
}

function isKept(value: Value, { operator, bound }: Having): boolean {
  if (value === null) return false
  const number = Number(value)
  return { $gt: number > bound, $lte: number <= bound, $eq: number === bound, $ne: number !== bound }[
    operator
  ]
}

function measure(members: readonly Entry[], name: string): Value {
  if (name === 'count') return members.length
  const [fn = '', ...path] = name.split('.')
  const values = members.map((entry) => valueAt(entry, path.join('.'))).filter((value) => value !== null)
  const numbers = values.map(Number)
  const sum = numbers.reduce((total, value) => total + value, 0)
  const ordered = [...values].sort((a, b) => compare(a, b, path.at(-1) === 'big'))
  switch (fn) {
    case 'count':
      return values.length
    case 'countDistinct':
      return new Set(values).size
    case 'sum':
      return values.length === 0 ? null : sum
    case 'avg':
      return values.length === 0 ? null : sum / values.length
    case 'min':
      return ordered[0] ?? null
    default:
      return ordered.at(-1) ?? null
  }
}

function compare(a: Value, b: Value, isBig: boolean): number {
  const [left, right] = isBig ? [BigInt(String(a)), BigInt(String(b))] : [a ?? 0, b ?? 0]
  return left < right ? -1 : left > right ? 1 : 0
}

function shownMeasures(measured: readonly (readonly [string, Value])[]): Entry {
  const alone = !measured.some(([name]) => name.startsWith('count.'))
  const shown: Record<string, unknown> = {}
  for (const [name, value] of measured) {
    const [fn = '', ...path] = name.split('.')
    if (name === 'count' && alone) shown['count'] = value
    else shown[fn] = { ...(shown[fn] as object), [path.join('.') || '*']: value }
  }
  return shown
}

function shownMeasure(row: Entry, name: string): Value {
  const [fn = '', ...path] = name.split('.')
  const value = row[fn] as Value | Record<string, Value>
  return typeof value === 'object' && value !== null ? (value[path.join('.') || '*'] ?? null) : value
}

/** Numbers to twelve digits: databases add them in another order. */
function rounded(row: Entry): Entry {
  return JSON.parse(
    JSON.stringify(row, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ),
  ) as Entry
}

const textOf = (row: Entry): string => JSON.stringify(row['group'] ?? null)
const byText = (a: Entry, b: Entry): number => (textOf(a) < textOf(b) ? -1 : 1)

/** Null comes first, descending last. Big integers are texts. */
function isSorted(values: readonly Value[], descending: boolean): boolean {
  const ordered = descending ? [...values].reverse() : values
  return ordered.every((value, at) => {
    const before = ordered[at - 1]
    if (at === 0 || before === null || before === undefined) return true
    const isBig = typeof value === 'string' && /^\d+$/.test(value)
    return value !== null && compare(before, value, isBig) <= 0
  })
}
