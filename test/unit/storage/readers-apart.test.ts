// Long statements on a file run on threads: what others get meanwhile, what is seen when, and what ends them.

import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/lib/errors/api-error.ts'
import { run, StatementFailure, type Work } from '../../../src/storage/database.ts'
import type { FileDatabase } from '../../../src/storage/drivers/sqlite/file-database.ts'
import { LongStatements } from '../../../src/storage/drivers/sqlite/long-statements.ts'
import { openFile } from '../../../src/storage/drivers/sqlite/open-file.ts'
import { openWriteAheadLog } from '../../../src/storage/drivers/sqlite/write-ahead-log.ts'
import { type SqlRow, type SqlValue, statement } from '../../../src/storage/sql/statement.ts'
import { databaseConfig } from '../../contract/database/database-config.ts'
import { makeTestFile } from '../../support/sqlite-copy.ts'

function one(text: string, values: readonly SqlValue[] = []): Work<readonly SqlRow[]> {
  return run(statement(text, true), values)
}

const numbers = (to: string): string =>
  `(with recursive n (i) as (select 1 union all select i + 1 from n ${to}) select i from n)`
/** Some 60 milliseconds. */
const LONG = `select max(i), (select count(*) from a) from ${numbers('where i < 300000')}`
const ENDLESS = `select count(*) from ${numbers('')}`
const BY_ID = 'select t from a where id = ?'
const insert = () => one("insert into a (t) values ('x') returning id")

let database: FileDatabase
let filename: string
let remove: () => Promise<void>
/** Syncs that wait until they are let through, if any shall; with an error, they fail. */
let held: ((error?: Error) => void)[] | undefined

async function open(timeout = 60_000): Promise<FileDatabase> {
  return openFile({ ...databaseConfig('sqlite'), filename }, '/', {
    watch: {},
    alongside: false,
    largeFrom: 0,
    timeout,
    openLog: (file) => {
      const log = openWriteAheadLog(file)
      return {
        close: log.close,
        sync: async () => {
          if (held === undefined) return log.sync()
          await new Promise<void>((resolve, reject) => {
            held?.push((error) => (error === undefined ? resolve() : reject(error)))
          })
        },
      }
    },
  })
}

beforeEach(async () => {
  held = undefined
  ;({ filename, remove } = await makeTestFile())
  database = await open()
  await database.transaction(() => one('create table a (id integer primary key, t text) strict'))
  await database.transaction(insert)
})
afterEach(async () => {
  await database.close()
  await remove()
})

/** What LONG counted in the table. */
const longCount = async (from = database): Promise<number> =>
  Number((await from.read(() => one(LONG)))[0]?.[1])

const outcomeOf = (read: unknown): Promise<unknown> =>
  Promise.resolve(read).then(
    () => undefined,
    (error: unknown) => error,
  )

test('others are answered at once while a long statement runs', async () => {
  let over = false
  const long = longCount().finally(() => {
    over = true
  })
  let answered = 0
  while (!over) {
    expect(database.read(() => one(BY_ID, [1]))).toEqual([['x']])
    if (!over) answered += 1
    await setImmediate()
  }
  expect(await long).toBe(1)
  expect(answered).toBeGreaterThan(10)
})

test('a long read sees one state, and every write that was answered before it', async () => {
  function* twice(): Work<readonly unknown[]> {
    const first = yield* one(LONG)
    const second = yield* one(LONG)
    return [first[0]?.[1], second[0]?.[1]]
  }
  for (let written = 1; written < 6; written++) {
    const reading = database.read(twice)
    const writing = database.transaction(insert)
    const [first, second] = await reading
    expect([written, written + 1]).toContain(first)
    expect(second).toBe(first)
    await writing
    expect(await longCount()).toBe(written + 1)
  }
})

test('short reads of any shape see every write that was answered before them', async () => {
  for (let id = 2; id < 6; id++) {
    await database.transaction(insert)
    expect(database.read(() => one(`select t, ${id} from a where id = ?`, [id]))).toEqual([['x', id]])
  }
})

test('a long read that saw a write is answered when that is on disk', async () => {
  held = []
  const writing = database.transaction(insert)
  while (held.length === 0) await wait(1)
  let answered = false
  const reading = longCount().finally(() => {
    answered = true
  })
  await wait(500)
  expect(answered).toBe(false)
  held.splice(0).forEach((go) => void go())
  await writing
  expect(await reading).toBe(2)
})

test('a write that does not come to the disk is seen by nobody', async () => {
  held = []
  const writing = outcomeOf(database.transaction(insert))
  while (held.length === 0) await wait(1)
  const reading = longCount()
  await wait(500)
  held.splice(0).forEach((go) => void go(new Error('the disk is broken')))
  expect(await writing).toBeInstanceOf(ApiError)
  expect(await reading).toBe(1)
  expect(await longCount()).toBe(1)
})

test('a read within a transaction sees what that has written', async () => {
  const count = await database.hold(async () => {
    await database.transaction(insert)
    return longCount()
  })
  expect(count).toBe(2)
})

describe('a statement that takes too long', () => {
  beforeEach(async () => {
    await database.close()
    database = await open(100)
  })

  test('is ended with a 503, and others go on', async () => {
    const endless = statement(ENDLESS, true)
    for (let round = 0; round < 3; round++) {
      const failure = await outcomeOf(database.read(() => run(endless, [])))
      expect(failure).toMatchObject({
        status: 503,
        message: 'The query took longer than 100 ms',
        headers: { 'retry-after': '1' },
      })
      expect(await database.read(() => one(BY_ID, [1]))).toEqual([['x']])
    }
  })

  test('may take longer within a task that has the database for itself', async () => {
    const long = LONG.replace('300000', '3000000')
    expect(await outcomeOf(database.read(() => one(long)))).toBeInstanceOf(ApiError)
    const read = database.exclusively(async () => database.read(() => one(long)))
    expect(await read).toEqual([[3_000_000, 1]])
  })
})

test('those that wait are bounded', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => outcomeOf(database.read(() => one(LONG.replace('300000', '2000'))))),
  )
  const refused = outcomes.filter((outcome) => outcome !== undefined)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(100 - 64)
  expect(refused[0]).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
})

test('a failure is told to its read alone', async () => {
  const overflow = `select abs(-9223372036854775807 - i) from ${numbers('where i < 3')}`
  const failing = outcomeOf(database.read(() => one(overflow)))
  const counts = [longCount(), longCount()]
  expect(await failing).toBeInstanceOf(StatementFailure)
  expect(await Promise.all(counts)).toEqual([1, 1])
})

test('values and their order are those of a short read', async () => {
  const text = `select i, i / 4.0, 'é' || i, null, i from ${numbers('where i < 3000')} where i > ? order by i % 7, i desc limit ?`
  const values = [12, 2500]
  const apart = await database.read(() => one(text, values))
  // In a transaction nothing runs apart.
  const here = await database.hold(async () => database.read(() => one(text, values)))
  expect(apart).toHaveLength(2500)
  expect(apart).toEqual(here)
})

test('statements of any number of shapes are answered', async () => {
  for (let shape = 0; shape < 250; shape++) {
    const text = `select count(*) + ${shape} from ${numbers('where i < 10')}`
    expect(await database.read(() => one(text))).toEqual([[10 + shape]])
  }
})

test('closing waits for long reads', async () => {
  const reading = Promise.all([longCount(), longCount(), longCount()])
  await database.close()
  expect(await reading).toEqual([1, 1, 1])
})

describe('whether a statement is expected to take long', () => {
  const plans: readonly (readonly [name: string, plan: readonly string[], long: boolean])[] = [
    ['one row by its id', ['SEARCH a USING INTEGER PRIMARY KEY (rowid=?)'], false],
    ['rows of a value', ['SEARCH a USING INDEX a_t (t=?)'], false],
    ['a constant', ['SCAN CONSTANT ROW', 'SCALAR SUBQUERY 1', 'SEARCH a'], false],
    ['all rows', ['SCAN a'], true],
    ['all of an index', ['SCAN a USING COVERING INDEX a_t'], true],
    ['a range', ['SEARCH a USING INDEX a_t (t>?)'], true],
    ['sorted rows', ['SEARCH a USING INDEX a_t (t=?)', 'USE TEMP B-TREE FOR ORDER BY'], true],
    ['an index for one run', ['SEARCH b USING AUTOMATIC COVERING INDEX (t=?)'], true],
  ]
  test.each(plans)('%s', (_, plan, long) => {
    expect(new LongStatements().has(statement('', true), () => plan)).toBe(long)
  })

  test('is learned from how long it took', () => {
    const known = new LongStatements()
    const text = statement('', true)
    const has = (): boolean => known.has(text, () => ['SCAN a'])
    const shortRunsUntilShort = (): number => {
      let runs = 0
      for (; has(); runs++) known.took(text, 1)
      return runs
    }
    const first = shortRunsUntilShort()
    known.took(text, 500)
    expect(has()).toBe(true)
    expect(shortRunsUntilShort()).toBeGreaterThan(first)
  })

  test('one that finds rows by their ids never is, however busy the machine was', () => {
    const known = new LongStatements()
    const text = statement('', true)
    const plan = (): readonly string[] => ['SEARCH a USING INTEGER PRIMARY KEY (rowid=?)']
    expect(known.has(text, plan)).toBe(false)
    known.took(text, 500)
    expect(known.has(text, plan)).toBe(false)
  })
})
