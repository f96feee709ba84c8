// Creates of entries that are one row: their answers, taken values, events and caches.

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking } from '../support/callers.ts'
import { recorded } from '../support/record-statements.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const note = {
  attributes: {
    title: { type: 'string', required: true },
    code: { type: 'string', unique: true },
    serial: { type: 'biginteger', unique: true },
    place: 'string',
    shelf: 'integer',
    rating: 'decimal',
    open: 'boolean',
    day: 'date',
    seen: 'datetime',
    extra: 'json',
    hidden: { type: 'string', private: true },
    tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
  },
  unique: [['place', 'shelf']],
}

const config = {
  rest: { cache: 0 },
  plugins: { graphql: true },
  contentTypes: {
    note,
    tag: { attributes: { name: 'string' } },
    checked: {
      attributes: { low: 'integer', high: 'integer' },
      checks: [{ that: 'low < high', message: 'low must be lower' }],
    },
    hooked: { attributes: { name: { type: 'string', unique: true } } },
  },
  auth: { roles: { public: { permissions: ['note.*', 'tag.*', 'checked.*', 'hooked.*'] } } },
  data: { tag: [{ id: 1, name: 'a' }] },
}

const TAKEN = 'This attribute must be unique'

describe.each(['memory', 'sqlite'] as const)('%s', (client) => {
  let cms: Cms
  let database: TestDatabase
  let send: Ask
  let texts: string[]
  let hooks = 0
  let next = 0
  let afterHooked: (() => Promise<void>) | undefined

  beforeAll(async () => {
    database = await openTestDatabase(client)
    const beforeCreate = (): void => {
      hooks += 1
    }
    const lifecycles = { hooked: { beforeCreate, afterCreate: () => afterHooked?.() } }
    cms = await createCms(config, { env: {}, ...database.options, lifecycles })
    send = asking(cms, {})
    texts = recorded.at(-1) ?? []
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })
  beforeEach(() => {
    texts.length = 0
  })

  const create = (data: object, type = 'notes') => send('', 'POST', `/api/${type}`, { data })
  const unused = () => {
    next += 1
    return { title: 'x', code: `code ${next}`, serial: String(10 ** 15 + next) }
  }
  const faultsOf = ({ json }: Awaited<ReturnType<Ask>>) =>
    (json as { error: { details: { errors: { path: string[]; message: string }[] } } }).error.details.errors
  const idOf = ({ json }: Awaited<ReturnType<Ask>>) => (json as { data: { id: number } }).data.id

  test('the answer is what is read afterwards', async () => {
    const values = fc.record(
      {
        title: fc.string({ minLength: 1, unit: 'binary' }),
        place: fc.option(fc.string({ unit: 'binary' })),
        shelf: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        rating: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
        open: fc.option(fc.boolean()),
        day: fc.option(fc.constantFrom('2024-02-29', '1969-12-31')),
        seen: fc.option(fc.constantFrom('2024-02-29T01:02:03.004Z', '1969-12-31T23:59:59+02:00')),
        extra: fc.jsonValue(),
        serial: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 10n ** 12n }).map(String)),
        hidden: fc.string(),
      },
      { requiredKeys: ['title'] },
    )
    await fc.assert(
      fc.asyncProperty(values, async (data) => {
        const made = await create(data)
        fc.pre(made.status === 200)
        expect(made.json).toEqual((await send('', 'GET', `/api/notes/${idOf(made)}`)).json)
      }),
      { numRuns: 60 },
    )
  })

  test('every value that is taken is told, and nothing is left of the entry', async () => {
    const first = { ...unused(), place: `shelf ${next}`, shelf: next }
    expect((await create(first)).status).toBe(200)
    const before = (await send('', 'GET', '/api/notes?pagination[pageSize]=1')).json
    const taken = await create(first)
    expect(taken.status).toBe(400)
    expect(faultsOf(taken).map(({ path, message }) => [path.join(), message])).toEqual([
      ['code', TAKEN],
      ['serial', TAKEN],
      ['place', 'place and shelf must be unique together'],
    ])
    expect((await send('', 'GET', '/api/notes?pagination[pageSize]=1')).json).toEqual(before)
    expect((await create({ ...unused(), code: first.code })).status).toBe(400)
    expect((await create(unused())).status).toBe(200)
  })

  test('a value that is taken runs no lifecycle twice', async () => {
    hooks = 0
    for (const status of [200, 400]) expect((await create({ name: 'once' }, 'hookeds')).status).toBe(status)
    expect(hooks).toBe(2)
  })

  test('many at once are all there, but those whose value is taken', async () => {
    const codes = Array.from({ length: 40 }, (_, index) => `many ${client} ${index % 20}`)
    const made = await Promise.all(codes.map((code) => create({ title: 'x', code })))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(made.filter(({ status }) => status === 400)).toHaveLength(20)
    const { json } = await send('', 'GET', `/api/notes?filters[code][$startsWith]=many ${client}`)
    expect(json).toMatchObject({ meta: { pagination: { total: 20 } } })
  })

  test('within a transaction that is undone it is gone', async () => {
    const code = `undone ${client}`
    afterHooked = async () => {
      expect(await cms.entries('note').create({ title: 'x', code })).toMatchObject({ code })
      throw new Error('the rest failed')
    }
    expect((await create({ name: 'undone' }, 'hookeds')).status).toBe(500)
    afterHooked = undefined
    expect(texts.some((text) => text.startsWith('insert into `notes`'))).toBe(true)
    const { json } = await send('', 'GET', `/api/notes?filters[code]=${code}`)
    expect(json).toMatchObject({ data: [] })
    expect((await create({ title: 'x', code })).status).toBe(200)
  })
})
