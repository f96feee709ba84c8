// What goes wrong between a CMS and PostgreSQL: connections that break, servers that are away, statements that take
// too long, transactions that meet.

import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { type Cms, createCms } from '../../src/index.ts'
import { run } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { ask, openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'

const here = await postgresHere()
const server = here ?? ''

const config = {
  contentTypes: {
    note: {
      attributes: {
        text: 'string',
        slug: { type: 'uid', targetField: 'text' },
        code: { type: 'string', unique: true },
      },
    },
  },
  auth: { roles: { public: { permissions: ['note.*'] } } },
}
const post = (data: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
})

describe.skipIf(here === undefined)('with a server that can be taken away', () => {
  let proxy: ServerProxy
  let schema: TestSchema
  let cms: Cms

  beforeEach(async () => {
    proxy = await startServerProxy(server)
    schema = await openTestSchema(server)
    const connection = `${proxy.url}?application_name=${schema.schema}`
    const database = { client: 'postgres', connection, schema: schema.schema } as const
    cms = await createCms(config, { database })
  })
  afterEach(async () => {
    proxy.open()
    await cms.close()
    await proxy.close()
    await schema.drop()
  })

  const create = (text: string) => cms.fetch('/api/notes', post({ text }))
  const count = () =>
    ask(server, `select count(*) from "${schema.schema}".notes`).then(([row]) => Number(row?.[0]))

  test('every connection breaks, again and again: reads are answered, no acknowledged write is lost', async () => {
    let acknowledged = 0
    const statuses = new Map<number, number>()
    let broken = 0
    // However slow the machine: so many breaks, and so many writes that came through.
    const over = () => broken >= 15 && acknowledged >= 30
    const note = (status: number): void => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const breaker = (async () => {
      while (!over()) {
        await wait(100)
        broken += 1
        await ask(
          server,
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schema.schema}'`,
        )
      }
    })()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; !over(); number++) {
        const { status } = await create(`${writer} ${number}`)
        note(status)
        if (status === 200) acknowledged += 1
      }
    })
    const readers = Array.from({ length: 4 }, async () => {
      while (!over()) {
        const response = await cms.fetch('/api/notes?pagination[pageSize]=1')
        note(response.status)
        await response.arrayBuffer()
      }
    })
    await Promise.all([breaker, ...writers, ...readers])
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await count()).toBeGreaterThanOrEqual(acknowledged)
    // It heals: nothing but success from now on.
    await wait(200)
    for (let number = 0; number < 20; number++) expect((await create(`after ${number}`)).status).toBe(200)
  })

  test('a server that is away is a 503 with Retry-After, and no more than that when it is back', async () => {
    expect((await create('before')).status).toBe(200)
    proxy.shut()
    const refused = await cms.fetch('/api/notes')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.text()).not.toMatch(/postgres|127\.0\.0\.1|ECONN/)
    expect((await create('meanwhile')).status).toBe(503)
    expect((await cms.fetch('/_health')).status).toBeLessThan(300)
    proxy.open()
    expect((await cms.fetch('/api/notes')).status).toBe(200)
    expect((await create('after')).status).toBe(200)
    expect(await count()).toBe(2)
  })

  test('a connection that breaks before the commit is sent: the write is made once', async () => {
    await create('first')
    proxy.cutAt('insert into')
    expect((await create('second')).status).toBe(200)
    expect(await count()).toBe(2)
  })

  test('one that breaks at the commit: it is said that nobody knows', async () => {
    await create('first')
    proxy.cutAt('\0commit\0', true)
    const response = await create('second')
    expect(response.status).toBe(503)
    expect(await response.text()).toMatch('not known whether')
    expect(await count()).toBe(2)
  })

  test('a hundred creates that want the same value: one gets it, the others are told', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => cms.fetch('/api/notes', post({ text: 'x', code: 'same' }))),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(99)
    for (const answer of answers.filter(({ status }) => status === 400))
      expect(await answer.text()).toContain('This attribute must be unique')
  })

  test('fifty creates with one title: fifty slugs', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('The Same Title')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const [row] = await ask(server, `select count(distinct slug), count(*) from "${schema.schema}".notes`)
    expect(row).toEqual(['50', '50'])
  })
})

describe.skipIf(here === undefined)('the database itself', () => {
  let schema: TestSchema
  const open = (
    {
      pool,
      ...more
    }: Partial<Omit<DatabaseConfig, 'pool'>> & { pool?: Partial<DatabaseConfig['pool']> } = {},
    timeout = 30_000,
  ) => {
    const usual = databaseConfig('postgres')
    const pools = { ...usual.pool, ...pool }
    return openDatabase({ ...usual, connection: named(), schema: schema.schema, pool: pools, ...more }, '.', {
      timeout,
    })
  }
  /** So that its connections can be told from others'. */
  const named = () => `${server}?application_name=${schema.schema}`

  beforeEach(async () => {
    schema = await openTestSchema(server)
  })
  afterEach(() => schema.drop())

  test('a statement that takes too long is a 503, and the connection is used again', async () => {
    const database = await open({ pool: { min: 0, max: 1 } }, 300)
    const slow = statement('select pg_sleep(20)', true)
    await expect(database.read(() => run(slow, []), { single: true })).rejects.toMatchObject({ status: 503 })
    await expect(database.transaction(() => run(slow, []))).rejects.toMatchObject({ status: 503 })
    expect(await database.read(() => run(statement('select 1', true), []))).toEqual([[1]])
    await database.close()
  })

  test('more requests than connections wait for their turn, and are told when it does not come', async () => {
    const database = await open({ pool: { min: 0, max: 1 } }, 700)
    const sleep = (seconds: number) =>
      Promise.resolve(database.read(() => run(statement(`select pg_sleep(${seconds})`, true), []))).then(
        () => 200,
        (error: { readonly status: number }) => error.status,
      )
    expect(await Promise.all([sleep(0.05), sleep(0.05), sleep(0.05)])).toEqual([200, 200, 200])
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => sleep(0.5))))).toEqual(
      new Set([200, 503]),
    )
    await database.close()
  })

  test('transactions that lock each other out both end well', async () => {
    const database = await open()
    await database.transaction(function* () {
      yield* run(statement('create table pairs (id int primary key, n int)', false), [])
      yield* run(statement('insert into pairs values (1, 0), (2, 0)', false), [])
    })
    const add = (id: number) => run(statement(`update pairs set n = n + 1 where id = ${id}`, false), [])
    const crossing = (first: number, second: number) =>
      database.transaction(function* () {
        yield* add(first)
        yield* run(statement('select pg_sleep(0.05)', true), [])
        yield* add(second)
      })
    await Promise.all([crossing(1, 2), crossing(2, 1), crossing(1, 2), crossing(2, 1)])
    expect(await database.read(() => run(statement('select n from pairs', true), []))).toEqual([[4], [4]])
    await database.close()
  })

  test('no transaction stays open, whatever work does', async () => {
    const database = await open({ pool: { min: 0, max: 3 } })
    const text = statement("select current_setting('application_name')", true)
    const outcomes = [
      database.transaction(function* () {
        yield* run(text, [])
        throw new Error('second thoughts')
      }),
      database.transaction(() => run(statement('select nothing', true), [])),
      database.read(() => run(statement('select nothing', true), [])),
      database.read(function* () {
        yield* run(text, [])
        throw new Error('second thoughts')
      }),
      database.read(() => run(statement('create table a (id int)', false), [])),
    ].map((outcome) => Promise.resolve(outcome).catch(() => {}))
    await Promise.all(outcomes)
    const left = statement(
      `select count(*) from pg_stat_activity where state like 'idle in transaction%' and application_name = '${schema.schema}'`,
      true,
    )
    await wait(100)
    expect(await database.read(() => run(left, []), { single: true })).toEqual([[0]])
    await database.close()
  })

  test('a column of another type under a prepared statement', async () => {
    const database = await open({ pool: { min: 0, max: 1 } })
    await database.transaction(() => run(statement('create table a (x int)', false), []))
    const read = () => database.read(() => run(statement('select * from a', true), []))
    await read()
    await ask(server, `alter table "${schema.schema}".a alter x type text`)
    await ask(server, `insert into "${schema.schema}".a values ('one')`)
    expect(await read()).toEqual([['one']])
    await database.close()
  })

  test('a column of another type under the prepared statements of every connection', async () => {
    const most = 8
    const database = await open({ pool: { min: 0, max: most } })
    await database.transaction(() => run(statement('create table a (x int)', false), []))
    await database.transaction(() => run(statement('insert into a values (1)', false), []))
    const text = statement('select *, pg_sleep(0.05) is null from a', true)
    const reads = () => Promise.all(Array.from({ length: most }, () => database.read(() => run(text, []))))
    await reads()
    await ask(server, `alter table "${schema.schema}".a alter x type text`)
    // One after the other: each would meet all connections that know the old type.
    expect(await database.read(() => run(text, []))).toEqual([['1', 0]])
    expect(await database.transaction(() => run(text, []))).toEqual([['1', 0]])
    await ask(server, `alter table "${schema.schema}".a alter x type int using x::int`)
    expect(await reads()).toEqual(Array.from({ length: most }, () => [[1, 0]]))
    await database.close()
  })

  test.each([
    ['named', false, true],
    ['behind a pooler', true, false],
  ] as const)('statements are %s', async (_name, pooler, kept) => {
    const database = await open({ pool: { min: 0, max: 1 }, pooler })
    const names = statement("select count(*) from pg_prepared_statements where name like 'cms%'", true)
    await database.read(() => run(names, []))
    const [[count] = []] = await database.read(() => run(names, []))
    expect(Number(count) > 0).toBe(kept)
    await database.close()
  })

  test('over an encrypted connection, where the server has one', async () => {
    const [[ssl] = []] = await ask(server, 'show ssl')
    const url = new URL(server)
    const connection = {
      host: url.hostname,
      port: Number(url.port || 5432),
      user: url.username,
      database: url.pathname.slice(1),
    }
    if (ssl === 'on') {
      const database = await open({ connection: { ...connection, ssl: { rejectUnauthorized: false } } })
      const text = statement('select ssl from pg_stat_ssl where pid = pg_backend_pid()', true)
      expect(await database.read(() => run(text, []))).toEqual([[1]])
      await database.close()
      await expect(open({ connection: { ...connection, ssl: true } })).rejects.toMatchObject({
        diagnostics: [{ code: 'DBS020', message: expect.stringMatching(/encrypted/) }],
      })
    } else {
      await expect(open({ connection: { ...connection, ssl: true } })).rejects.toMatchObject({
        diagnostics: [{ code: 'DBS020', message: expect.stringMatching(/encrypted/) }],
      })
    }
  })
})

describe.skipIf(here === undefined)('a statement that waits for a lock', () => {
  let schema: TestSchema

  beforeEach(async () => {
    schema = await openTestSchema(server)
  })
  const held: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(held.splice(0).map((release) => release()))
    await schema.drop()
  })

  const start = (more: object = {}, withData: Readonly<Record<string, unknown>> = config) =>
    createCms(withData, {
      database: { client: 'postgres', connection: server, schema: schema.schema, ...more },
    })
  /** A lock that keeps everyone else out of a table until it is released. */
  const lock = async (table: string): Promise<{ release(): Promise<void> }> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(`begin; lock table "${schema.schema}".${table} in access exclusive mode`)
    const release = async () => {
      await client.end()
    }
    held.push(release)
    return { release }
  }
  const refusal = async (answer: Response) => ({
    status: answer.status,
    retry: answer.headers.get('retry-after'),
    body: await answer.json(),
  })
  const refused = (message: string) => ({
    status: 503,
    retry: '1',
    body: { data: null, error: { status: 503, name: 'ServiceUnavailableError', message, details: {} } },
  })

  test.each([
    ['of a session of its own', {}],
    ['behind a pooler', { pooler: true }],
    // Asking the primary the same would take as long again.
    ['on a replica', { replicas: [server] }],
  ])('%s: a read, a write and GraphQL are told how long it may take', async (_where, more) => {
    const cms = await start({ statementTimeout: '150ms', ...more }, { ...config, plugins: { graphql: true } })
    const { release } = await lock('notes')
    const late = refused('The query took longer than 150 ms')
    expect(await refusal(await cms.fetch('/api/notes'))).toEqual(late)
    expect(await refusal(await cms.fetch('/api/notes/1'))).toEqual(late)
    expect(await refusal(await cms.fetch('/api/notes', post({ text: 'x' })))).toEqual(late)
    const query = JSON.stringify({ query: '{ notes { data { id } } }' })
    const headers = { 'content-type': 'application/json' }
    const graphql = await cms.fetch('/graphql', { method: 'POST', headers, body: query })
    expect(await graphql.text()).toContain('The query took longer than 150 ms')
    await release()
    expect((await cms.fetch('/api/notes')).status).toBe(200)
    await cms.close()
  })

  test('a request that gets no connection in time is told so', async () => {
    const cms = await start({ pool: { max: 1, acquireTimeout: '100ms' } })
    const { release } = await lock('notes')
    const first = cms.fetch('/api/notes')
    expect(await refusal(await cms.fetch('/api/notes'))).toEqual(refused('The database is busy'))
    await release()
    expect((await first).status).toBe(200)
    await cms.close()
  })

  test('an operator who cancels it is no time limit', async () => {
    const cms = await start()
    const { release } = await lock('notes')
    const answer = cms.fetch('/api/notes')
    const waiting = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like '%"${schema.schema}%' or wait_event_type = 'Lock' and query like '%from "notes"%'`
    while ((await ask(server, waiting)).length === 0) await wait(10)
    expect(await refusal(await answer)).toEqual(refused('The database took too long to answer'))
    await release()
    await cms.close()
  })

  test.each([
    ['the layout that a migration reads', 'cms_run_layout'],
    ['the tables that a seed looks at', 'notes'],
  ])('%s: a start waits as long as it takes', async (_what, table) => {
    await (await start()).close()
    const { release } = await lock(table)
    const seeded = { ...config, data: { note: [{ id: 1, text: 'one' }] } }
    const starting = start({ statementTimeout: '100ms' }, seeded)
    const waiting = `select from pg_locks where not granted and relation = '"${schema.schema}".${table}'::regclass and waitstart < clock_timestamp() - interval '300 ms'`
    while ((await ask(server, waiting)).length === 0) await wait(10)
    await release()
    const cms = await starting
    expect(await (await cms.fetch('/api/notes/1')).json()).toMatchObject({ data: { id: 1 } })
    await cms.close()
  })
})

describe.skipIf(here === undefined)('a start', () => {
  test.each([
    ['nobody at the port', { port: '1' }, /no database server answers at .*:1: connection refused/],
    ['no such database', { pathname: '/nothing_like_it' }, /has no database "nothing_like_it"/],
    [
      'no such user',
      { username: 'nobody_like_it', password: 's3cret-word' },
      /does not let the user "nobody_like_it" in/,
    ],
    ['no such host', { hostname: 'nowhere.invalid' }, /cannot be found/],
  ])('%s', async (_what, change, message) => {
    const url = Object.assign(new URL(server), { password: 's3cret-word' }, change)
    const database = { client: 'postgres', connection: url.toString() } as const
    const error = await createCms(config, { database }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ConfigError', diagnostics: [{ code: 'DBS020' }] })
    expect(String(error)).toMatch(message)
    expect(String(error)).not.toContain('s3cret-word')
  })

  test.each(['connection', 'replicas'])('a URL of several hosts in %s', async (key) => {
    const several = 'postgres://me:s3cret-word@one.invalid:5432,two.invalid:5432/name'
    const connection = key === 'connection' ? several : server
    const replicas = key === 'replicas' ? [several] : []
    const database = { client: 'postgres', connection, replicas } as const
    const error = await createCms(config, { database }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ConfigError', diagnostics: [{ code: 'DBS020' }] })
    expect(String(error)).toContain('name one host')
    expect(String(error)).not.toContain('s3cret-word')
  })

  test('of several at once migrates and seeds once', async () => {
    const schema = await openTestSchema(server)
    const database = { client: 'postgres', connection: server, schema: schema.schema } as const
    const seeded = { ...config, data: { note: [1, 2, 3].map((id) => ({ id, text: `note ${id}` })) } }
    const started = await Promise.all(Array.from({ length: 5 }, () => createCms(seeded, { database })))
    for (const cms of started) expect(await cms.entries('note').count()).toBe(3)
    const [first, second] = started
    expect((await first?.entries('note').create({ text: 'one more' }))?.id).toBe(4)
    expect(await second?.entries('note').count()).toBe(4)
    await Promise.all(started.map((cms) => cms.close()))
    await schema.drop()
  })
})
