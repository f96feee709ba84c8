// What is a file's alone: what is on disk, what is seen when, one process, files that are none, disks that fail.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/lib/errors/api-error.ts'
import { OpenFailure, run, type Work } from '../../../src/storage/database.ts'
import type { FileDatabase } from '../../../src/storage/drivers/sqlite/file-database.ts'
import { type FileOptions, loadLibsql, openFile } from '../../../src/storage/drivers/sqlite/open-file.ts'
import { openWriteAheadLog, type WriteAheadLog } from '../../../src/storage/drivers/sqlite/write-ahead-log.ts'
import { type SqlRow, type SqlValue, statement } from '../../../src/storage/sql/statement.ts'
import { databaseConfig } from '../../contract/database/database-config.ts'
import { makeTestFile } from '../../support/sqlite-copy.ts'

function one(text: string, values: readonly SqlValue[] = []): Work<readonly SqlRow[]> {
  return run(statement(text, true), values)
}

const insert = (value: string) => () => one('insert into a (t) values (?) returning id', [value])
const texts = async (from: FileDatabase): Promise<readonly unknown[]> =>
  (await rows(from, 'select t from a order by id')).flat()

async function rows(from: FileDatabase, text: string): Promise<readonly SqlRow[]> {
  return from.read(() => one(text))
}

/** A log whose syncs wait until they are let through, or fail. */
class SlowDisk {
  syncs = 0
  held: (() => void)[] | undefined
  fault: Error | undefined

  readonly open = (file: string): WriteAheadLog => {
    const log = openWriteAheadLog(file)
    return {
      close: log.close,
      sync: async () => {
        this.syncs += 1
        if (this.held !== undefined) await new Promise<void>((resolve) => this.held?.push(resolve))
        if (this.fault !== undefined) throw this.fault
        await log.sync()
      },
    }
  }
}

let filename: string
let remove: () => Promise<void>
let disk: SlowDisk
let database: FileDatabase
const told: unknown[] = []

function open(options: Partial<FileOptions> = {}, name = filename): Promise<FileDatabase> {
  return openFile({ ...databaseConfig('sqlite'), filename: name }, '/', {
    watch: { stopped: (reason) => told.push(reason), refused: (reason) => told.push(reason.message) },
    alongside: false,
    openLog: disk.open,
    ...options,
  })
}

async function refusal(opening: Promise<FileDatabase>): Promise<{ code: string; message: string }> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OpenFailure)
  const [diagnostic] = (error as OpenFailure).diagnostics
  expect(diagnostic).toMatchObject({ severity: 'error', path: ['database', 'filename'] })
  return { code: diagnostic?.code ?? '', message: diagnostic?.message ?? '' }
}

beforeEach(async () => {
  ;({ filename, remove } = await makeTestFile())
  disk = new SlowDisk()
  told.length = 0
  database = await open()
  await database.transaction(() => one('create table a (id integer primary key, t text unique) strict'))
})
afterEach(async () => {
  await database.close()
  await remove()
})

describe('a write', () => {
  test('is neither answered nor seen before the disk has it', async () => {
    disk.held = []
    let answered = false
    const writing = database.transaction(insert('one')).then(() => {
      answered = true
    })
    while (disk.held.length === 0) await wait(1)
    await wait(20)
    expect([answered, await texts(database)]).toEqual([false, []])
    const [letThrough] = disk.held
    letThrough?.()
    await writing
    expect(await texts(database)).toEqual(['one'])
  })

  test('shares a sync with those that came with it', async () => {
    const before = disk.syncs
    await Promise.all(Array.from({ length: 50 }, (_, index) => database.transaction(insert(`n${index}`))))
    // One, where all of their work is done within the milliseconds of a batch.
    expect(disk.syncs - before).toBeLessThan(25)
  })

  test('that fails among others is undone alone', async () => {
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'a', 'c', 'b'].map((value) => database.transaction(insert(value))),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false])
    expect(await texts(database)).toEqual(['a', 'b', 'c'])
  })

  test('is there after the next start', async () => {
    await database.transaction(insert('kept'))
    await database.close()
    database = await open()
    expect(await texts(database)).toEqual(['kept'])
  })

  test('that takes long lets reads in between its steps', async () => {
    await database.transaction(insert('before'))
    const seen: unknown[] = []
    const timer = setInterval(async () => seen.push(await texts(database)), 1)
    await database.transaction(function* () {
      for (let index = 0; index < 20_000; index++) yield* one('insert into a (t) values (?)', [`n${index}`])
    })
    clearInterval(timer)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.every((rows) => JSON.stringify(rows) === '["before"]')).toBe(true)
    expect((await database.read(() => one('select t from a'))).length).toBe(20_001)
  })

  test('of another program is seen a moment later', async () => {
    const other = (await loadLibsql()).open(filename)
    other.exec("insert into a (t) values ('from outside')")
    other.close()
    await wait(15)
    expect(await texts(database)).toEqual(['from outside'])
  })
})

describe('a transaction that waits for users’ code', () => {
  test('sees what it wrote; others see it when it is over, and read meanwhile', async () => {
    const seen: unknown[] = []
    await database.hold(async () => {
      await database.transaction(insert('held'))
      await wait(5)
      seen.push(await texts(database))
      await database.hold(async () => database.transaction(insert('nested')))
    })
    expect([seen, await texts(database)]).toEqual([[['held']], ['held', 'nested']])
  })

  test('makes other writers wait, not readers', async () => {
    let release = (): void => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = database.hold(async () => {
      await database.transaction(insert('held'))
      await waiting
    })
    let written = false
    const other = database.transaction(insert('other')).then(() => {
      written = true
    })
    await wait(30)
    expect([written, await texts(database)]).toEqual([false, []])
    release()
    await Promise.all([held, other])
    expect(await texts(database)).toEqual(['held', 'other'])
  })

  test('leaves nothing behind when that code throws', async () => {
    const thrown = new Error('second thoughts')
    const held = database.hold(async () => {
      await database.transaction(insert('held'))
      throw thrown
    })
    await expect(held).rejects.toBe(thrown)
    await database.transaction(insert('after'))
    expect(await texts(database)).toEqual(['after'])
  })
})

describe('a disk', () => {
  test('that does not keep what was written ends writing, not reading', async () => {
    await database.transaction(insert('kept'))
    disk.fault = new Error('EIO: i/o error, fdatasync')
    const [first, second] = await Promise.allSettled([
      database.transaction(insert('lost')),
      database.transaction(insert('lost too')),
    ])
    for (const outcome of [first, second]) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    }
    disk.fault = undefined
    await expect(database.transaction(insert('later'))).rejects.toMatchObject({ status: 503 })
    await expect(database.hold(async () => undefined)).rejects.toMatchObject({ status: 503 })
    expect(await texts(database)).toEqual(['kept'])
    expect(told).toHaveLength(1)
  })

  test('without space refuses with 503 until there is some', async () => {
    const [pages] = await rows(database, 'select page_count from pragma_page_count')
    const limit = (count: number) => () => one(`pragma max_page_count = ${count}`)
    await database.transaction(limit(Number(pages?.[0]) + 2))
    const outcomes = await Promise.allSettled(
      ['small', 'x'.repeat(100_000), 'small too'].map((value) => database.transaction(insert(value))),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ApiError)
      expect(reason).toMatchObject({ status: 503, message: 'The database has no space left' })
    }
    expect(told).toContain('The database has no space left')
    const kept = outcomes.filter((outcome) => outcome.status === 'fulfilled').length
    expect(await texts(database)).toHaveLength(kept)
    await database.transaction(limit(1_000_000))
    await database.transaction(insert('again'))
    expect(database.read(() => one('select * from pragma_integrity_check'))).toEqual([['ok']])
  })
})

describe('a file', () => {
  test('is one process’s, and free when that ends', async () => {
    expect((await refusal(open())).code).toBe('DBS031')
    const beside = await open({ alongside: true })
    await beside.close()
    await database.close()
    database = await open()
  })

  test.each([
    ['text', 'this is no database, whatever its name says. '.repeat(200)],
    ['a torn header', `SQLite format 3\0${'\x07'.repeat(5000)}`],
  ])('that holds %s is refused and left as it is', async (_, content) => {
    const other = join(dirname(filename), 'other.db')
    await writeFile(other, content)
    expect((await refusal(open({}, other))).code).toBe('DBS032')
  })

  test('whose pages do not fit together is refused', async () => {
    await database.transaction(function* () {
      for (let index = 0; index < 2000; index++)
        yield* one('insert into a (t) values (?)', [`entry ${index}`])
    })
    await database.close()
    const { open: openHandle } = await import('node:fs/promises')
    const handle = await openHandle(filename, 'r+')
    await handle.write(Buffer.alloc(4096, 0x55), 0, 4096, 4096 * 3)
    await handle.close()
    const { code, message } = await refusal(open())
    expect([code, message]).toEqual(['DBS032', expect.stringContaining('damaged')])
  })

  test('that is a directory, or below a file, is refused', async () => {
    const directory = join(dirname(filename), 'directory')
    await mkdir(directory)
    for (const name of [directory, join(filename, 'below.db')]) {
      expect((await refusal(open({}, name))).code).toBe('DBS030')
    }
  })

  test('gets its directory', async () => {
    const deep = await open({}, join(dirname(filename), 'some', 'where', 'cms.db'))
    await deep.close()
  })
})
