// A read that takes long gives way to others between its statements. Whatever others do meanwhile, it sees one state.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, run, type Work } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { openFile } from '../../../src/storage/drivers/sqlite/open-file.ts'
import type { SqlRow, SqlValue } from '../../../src/storage/sql/statement.ts'
import { statement } from '../../../src/storage/sql/statement.ts'
import { databaseConfig } from '../../contract/database/database-config.ts'

function one(text: string, values: readonly SqlValue[] = []): Work<readonly SqlRow[]> {
  return run(statement(text, true), values)
}

const COUNT = 'select count(*) from a'
/** Takes some milliseconds. */
const SLOW =
  'select max(i) from (with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000) select i from n)'

const NUMBERS =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000) select i from n'

/** Counts before, between and after statements that take long. */
function* slowCounts(steps = 12): Work<readonly number[]> {
  const counts: number[] = []
  for (let step = 0; step < steps; step++) {
    const [row] = yield* one(COUNT)
    counts.push(Number(row?.[0]))
    yield* one(SLOW)
  }
  return counts
}

const insert = () => one("insert into a (t) values ('x') returning id")

describe.each(['memory', 'sqlite'] as const)('%s', (name) => {
  let database: Database
  let folder: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-long-'))
    database =
      name === 'memory'
        ? await MemoryDatabase.open()
        : await openFile({ ...databaseConfig('sqlite'), filename: join(folder, 'cms.db') }, '/', {
            watch: {},
            alongside: false,
          })
    await database.transaction(() => one('create table a (id integer primary key, t text) strict'))
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  const count = async (): Promise<number> => Number((await database.read(() => one(COUNT)))[0]?.[0])

  test('a short read is answered at once', () => {
    // Of ten, since a busy machine may suspend this process for as long as a slice lasts.
    const reads = Array.from({ length: 10 }, () => database.read(() => one(COUNT)))
    expect(reads.some((read) => !(read instanceof Promise))).toBe(true)
  })

  test('one that takes long in its last statement lets others in before its many rows are used', async () => {
    const slow = database.read(() => one(SLOW.replace('max(i)', 'i')))
    expect(slow).toBeInstanceOf(Promise)
    expect(await slow).toHaveLength(60_000)
    expect(database.read(() => one(SLOW.replace('60000', '600000')))).toEqual([[600_000]])
  })

  test('one that finds many rows gives way between them, also to reads of the same text', async () => {
    await database.transaction(() => one(`insert into a (t) select i from (${NUMBERS}) returning id`))
    const many = () => database.read(() => one('select id, t from a order by id'))
    const reads = [many(), many(), many()].map((read) => Promise.resolve(read))
    let over = 0
    for (const read of reads) void read.then(() => (over += 1))
    let turns = 0
    let written: Promise<unknown> | undefined
    while (over < 3) {
      await setImmediate()
      turns += 1
      if (turns === 2) written = Promise.resolve(database.transaction(insert))
    }
    expect(turns).toBeGreaterThan(3)
    await written
    for (const rows of await Promise.all(reads)) {
      expect(rows).toHaveLength(200_000)
      expect(rows.every(([id, text], index) => id === index + 1 && text === `${index + 1}`)).toBe(true)
    }
    expect(await many()).toHaveLength(200_001)
  })

  test('a long write lets the event loop go on, and is seen when it is whole', async () => {
    let turns = 0
    let over = false
    const write = Promise.resolve(
      database.transaction(function* () {
        for (let step = 0; step < 12; step++) {
          yield* insert()
          yield* one(SLOW)
        }
      }),
    ).then(() => (over = true))
    const seen = new Set<number>()
    while (!over) {
      await setImmediate()
      turns += 1
      void Promise.resolve(database.read(() => one(COUNT))).then(([row]) => seen.add(Number(row?.[0])))
    }
    await write
    await setImmediate()
    expect(turns).toBeGreaterThan(2)
    expect([...seen].every((found) => found === 0 || found === 12)).toBe(true)
    expect(await count()).toBe(12)
  })

  test('a long write is done before the database closes', async () => {
    const write = Promise.resolve(
      database.transaction(function* () {
        yield* insert()
        for (let step = 0; step < 6; step++) yield* one(SLOW)
        return 'done'
      }),
    )
    await database.close()
    expect(await write).toBe('done')
  })

  test('a long write that fails leaves nothing, and the next is taken', async () => {
    const failing = database.transaction(function* () {
      yield* insert()
      for (let step = 0; step < 6; step++) yield* one(SLOW)
      yield* one('select * from nothing')
    })
    await expect(Promise.resolve(failing)).rejects.toThrow('nothing')
    expect(await count()).toBe(0)
    await database.transaction(insert)
    expect(await count()).toBe(1)
  })

  test('others are answered meanwhile', async () => {
    const order: string[] = []
    const long = Promise.resolve(database.read(() => slowCounts())).then(() => order.push('long'))
    const short = Promise.resolve(database.read(() => one(COUNT))).then(() => order.push('short'))
    let turns = 0
    let over = false
    void long.then(() => (over = true))
    while (!over) {
      await setImmediate()
      turns += 1
    }
    await short
    expect(order).toEqual(['short', 'long'])
    expect(turns).toBeGreaterThan(2)
  })

  test('it sees one state, and every write is seen by who reads after it', async () => {
    const reads = [database.read(() => slowCounts()), database.read(() => slowCounts())]
    expect(reads[0]).toBeInstanceOf(Promise)
    for (let written = 1; written <= 3; written++) {
      await database.transaction(insert)
      expect(await count()).toBe(written)
      reads.push(database.read(() => slowCounts()))
    }
    const counts = await Promise.all(reads)
    for (const each of counts) expect(new Set(each).size).toBe(1)
    expect(counts.map(([first]) => first)).toEqual([0, 0, 1, 2, 3])
  })

  test('readers without end do not keep writers waiting without end', async () => {
    let stopped = false
    const reader = async (): Promise<void> => {
      while (!stopped) {
        await database.read(() => slowCounts(6))
        await setImmediate()
      }
    }
    const readers = [reader(), reader(), reader(), reader(), reader()]
    for (let written = 0; written < 5; written++) await database.transaction(insert)
    await database.hold?.(async () => void (await database.transaction(insert)))
    stopped = true
    await Promise.all(readers)
    expect(await count()).toBe(6)
  })

  test('a failure within it is told to it alone', async () => {
    const failing = Promise.resolve(
      database.read(function* () {
        yield* slowCounts()
        yield* one('select no_such_column from a')
      }),
    )
    await expect(failing).rejects.toThrow(/no_such_column/)
    await database.transaction(insert)
    expect(await count()).toBe(1)
  })

  test('closing waits for it', async () => {
    const long = Promise.resolve(database.read(() => slowCounts()))
    await database.close()
    expect(await long).toHaveLength(12)
    database = await MemoryDatabase.open()
  })
})

test('memory: content that is put back ends a read that began before with 503', async () => {
  const database = await MemoryDatabase.open()
  await database.transaction(() => one('create table a (id integer primary key, t text) strict'))
  const before = database.snapshot()
  const long = Promise.resolve(database.read(() => slowCounts()))
  database.restore(before)
  await expect(long).rejects.toMatchObject({ status: 503 })
  await database.close()
})

test('memory: a snapshot is taken while the rows of a statement are being read', async () => {
  const database = await MemoryDatabase.open()
  await database.transaction(() => one('create table a (id integer primary key, t text) strict'))
  const filled = `insert into a (t) select i from (${NUMBERS}) returning id`
  await database.transaction(() => one(filled))
  const many = () => database.read(() => one('select id from a order by id'))
  await many()
  await many()
  const long = many()
  expect(long).toBeInstanceOf(Promise)
  const before = database.snapshot()
  await database.transaction(insert)
  expect(await long).toHaveLength(200_000)
  expect(await many()).toHaveLength(200_001)
  database.restore(before)
  expect(await many()).toHaveLength(200_000)
  await database.close()
})
