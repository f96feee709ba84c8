// MySQL and MariaDB: a server that cannot be used is explained without its password, and what breaks while it is used is tried
// again, or is a 503.

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/lib/errors/api-error.ts'
import { type Database, OpenFailure, run } from '../../src/storage/database.ts'
import { startLoading } from '../../src/storage/load-tables.ts'
import { planMigration } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { createCompiler } from '../../src/storage/sql/kysely-compiler.ts'
import { type Statement, statement } from '../../src/storage/sql/statement.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { insert, layout, migrated, refuse, table } from '../contract/database/migration-support.ts'
import { askMysql, mysqlHere, openTestMysql, type TestMysql } from '../support/mysql.ts'
import { startServerProxy } from '../support/server-proxy.ts'

const here = await mysqlHere()

describe.skipIf(here === undefined)('over MySQL or MariaDB', () => {
  const server = here ?? ''
  let place: TestMysql
  let database: Database

  const say = (text: string): Statement => statement(text, true)
  const write = (text: string): Statement => statement(text, false)
  const rows = async (): Promise<unknown> =>
    database.read(() => run(say('select id, n from notes order by id'), []))

  beforeAll(async () => {
    place = await openTestMysql(server)
    database = await openDatabase(
      {
        ...databaseConfig('mysql'),
        connection: place.connection,
        pool: { min: 0, max: 4, acquireTimeout: 2000 },
      },
      '.',
      { timeout: 1000 },
    )
    await askMysql(place.connection, 'create table notes (id bigint primary key, n bigint) engine=InnoDB')
    await askMysql(place.connection, 'insert into notes values (1, 0), (2, 0)')
  })
  afterAll(async () => {
    await database.close()
    await place.drop()
  })

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(place.connection)
    change(url)
    return url.toString()
  }
  test.each([
    [
      'no server',
      (url: URL) => (url.port = '1'),
      /^no database server answers at 127\.0\.0\.1:1: connection refused/,
    ],
    [
      'no such host',
      (url: URL) => (url.hostname = 'nowhere.invalid'),
      /^the database host of nowhere\.invalid:\d+ cannot be found/,
    ],
    ['no such database', (url: URL) => (url.pathname = '/nothing_here'), /has no database "nothing_here"/],
    [
      'another password',
      (url: URL) => Object.assign(url, { username: 'stranger', password: 'hush-hush' }),
      /does not let the user "stranger" in/,
    ],
    [
      'no database named',
      (url: URL) => (url.pathname = '/'),
      /^the connection names no host and no database/,
    ],
  ])('%s', async (_, change, message) => {
    const connection = changed(change)
    const opened = openDatabase({ ...databaseConfig('mysql'), connection }, '.')
    const failure = await opened.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(OpenFailure)
    const [diagnostic] = failure instanceof OpenFailure ? failure.diagnostics : []
    expect(diagnostic).toMatchObject({ code: 'DBS020', message: expect.stringMatching(message) })
    expect(JSON.stringify(diagnostic)).not.toContain('hush-hush')
  })

  test('connections that the server closed are replaced', async () => {
    await Promise.all([rows(), rows(), rows(), rows()])
    const open = await askMysql(
      server,
      `select id from information_schema.processlist where db = '${place.database}'`,
    )
    expect(open.length).toBeGreaterThan(0)
    for (const [id] of open) await askMysql(server, `kill ${String(id)}`)
    expect(await Promise.all([rows(), rows(), rows(), rows()])).toHaveLength(4)
  })

  test('a write whose connection breaks before its commit is made again, once', async () => {
    let tries = 0
    await database.transaction(function* () {
      yield* run(write('update notes set n = n + 1 where id = 1'), [])
      if (tries++ === 0) yield* run(write('kill connection_id()'), [])
    })
    expect(tries).toBe(2)
    expect(await rows()).toEqual([
      [1, 1],
      [2, 0],
    ])
  })

  test('a change that was committed is known, though its connection breaks at once afterwards', async () => {
    const proxy = await startServerProxy(place.connection)
    const config = {
      ...databaseConfig('mysql'),
      connection: proxy.url,
      pool: { min: 0, max: 1, acquireTimeout: 2000 },
    }
    const over = await openDatabase(config, '.', { timeout: 1000 })
    try {
      const increase = () => run(write('update notes set n = n + 1 where id = 2'), [])
      await over.transaction(increase)
      // Sent after the commit of a patient transaction.
      proxy.cutAt('innodb_lock_wait_timeout = 1')
      await over.transaction(increase, { patient: true })
      expect(await over.read(() => run(say('select n from notes where id = 2'), []))).toEqual([[2]])
    } finally {
      await over.close()
      await proxy.close()
      await askMysql(place.connection, 'update notes set n = 0 where id = 2')
    }
  })

  test('a statement that takes too long is ended', async () => {
    const failure = await Promise.resolve(database.read(() => run(say('select sleep(20)'), []))).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 503, message: 'The query took longer than 1000 ms' })
  })

  test('a wait for a lock that takes too long is ended, and not begun anew', async () => {
    const other = await openDatabase({ ...databaseConfig('mysql'), connection: place.connection }, '.')
    const change = write('update notes set n = n + 0 where id = 1')
    let tries = 0
    try {
      await other.hold(async () => {
        await other.transaction(() => run(change, []))
        const waiting = Promise.resolve(
          database.transaction(() => {
            tries += 1
            return run(change, [])
          }),
        )
        await expect(waiting).rejects.toMatchObject({
          status: 503,
          message: expect.stringMatching(/^The query took longer/),
        })
      })
    } finally {
      await other.close()
    }
    expect(tries).toBe(1)
  })

  test('users’ code that loses its transaction to a deadlock writes nothing more', async () => {
    const add = (id: number): Promise<unknown> =>
      Promise.resolve(
        database.transaction(() => run(write(`update notes set n = n + 10 where id = ${id}`), [])),
      )
    let arrived = 0
    let both = (): void => {}
    const met = new Promise<void>((resolve) => {
      both = resolve
    })
    const meet = async (): Promise<void> => {
      if (++arrived === 2) both()
      await met
    }
    const hold = (first: number, second: number): Promise<void> =>
      database.hold(async () => {
        await add(first)
        await meet()
        await add(second).catch(() => {})
        await add(first)
      })
    const outcomes = await Promise.allSettled([hold(1, 2), hold(2, 1)])
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({ reason: { status: 503 } })
    expect((await rows()) as number[][]).toEqual(
      outcomes[0]?.status === 'fulfilled'
        ? [
            [1, 21],
            [2, 10],
          ]
        : [
            [1, 11],
            [2, 20],
          ],
    )
  })

  test('an import that stops anywhere begins anew', async () => {
    const own = await openTestMysql(server)
    const opened = await openDatabase({ ...databaseConfig('mysql'), connection: own.connection }, '.')
    try {
      const [before, after] = [
        layout(table('a', { x: 'text' })),
        layout(table('a', { y: 'text' }), table('b', {})),
      ]
      await migrated(opened, before)
      await insert(opened, table('a', { x: 'text' }), { x: 'one' })
      let stops = 0
      for (let at = 0; ; at++) {
        let count = 0
        const stopping: Database = Object.create(opened, {
          transaction: {
            value: (work: Parameters<Database['transaction']>[0], options: object) =>
              opened.transaction(function* () {
                const steps = work()
                let next = steps.next()
                while (next.done !== true) {
                  if (count++ === at) throw new Error('stopped')
                  next = steps.next(yield next.value)
                }
                return next.value
              }, options),
          },
        })
        const started = await startLoading(stopping, after, true).catch((error: unknown) => error)
        if (!(started instanceof Error)) break
        stops += 1
        await (await startLoading(opened, after, true)).finish()
        expect((await planMigration(opened, after, refuse)).changes).toEqual([])
        // As it was: the old tables, with a row.
        await (await startLoading(opened, before, true)).finish()
        await insert(opened, table('a', { x: 'text' }), { x: 'one' })
      }
      expect(stops).toBeGreaterThan(6)
    } finally {
      await opened.close()
      await own.drop()
    }
  })

  test('letters beyond ASCII keep their case, and trailing spaces count', async () => {
    const { dialect } = database
    const compile = createCompiler(dialect)
    const asked = (text: string, value: string) =>
      compile(
        sql`select ${dialect.equalIgnoringCase(sql`${text}`, sql`${value}`)}, ${dialect.contains(sql`${text}`, sql`${value}`, true)}`,
      )
    for (const [text, value, expected] of [
      ['Straße', 'STRAßE', [1, 1]],
      ['ÉCOLE', 'école', [0, 0]],
      ['École', 'COLE', [0, 1]],
      ['a ', 'A', [0, 1]],
      ['日本', '本', [0, 1]],
    ] as const) {
      const { text: question, parameters } = asked(text, value)
      const [row] = await database.read(() => run(say(question), parameters as string[]))
      expect([text, value, row]).toEqual([text, value, expected])
    }
  })
})
