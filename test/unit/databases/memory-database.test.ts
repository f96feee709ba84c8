import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EngineFailure, run, type Work } from '../../../src/databases/database.ts'
import { MemoryDatabase } from '../../../src/databases/sqlite/memory-database.ts'
import { TransactionHolds } from '../../../src/databases/sqlite/transaction-holds.ts'
import { ApiError } from '../../../src/errors/api-error.ts'
import { InvariantError } from '../../../src/errors/invariant.ts'
import type { SqlRow, SqlValue } from '../../../src/sql/statement.ts'
import { statement } from '../../../src/sql/statement.ts'
import { cacheBudgets } from '../../../src/util/cache-budgets.ts'

function one(text: string, values: readonly SqlValue[] = []): Work<readonly SqlRow[]> {
  return run(statement(text, true), values)
}

/** SQLite's LIKE recurses at each `%`: this pattern overflows the stack of WebAssembly. */
function* breakEngine(): Work<readonly SqlRow[]> {
  return yield* one('select ? like ?', ['a'.repeat(20_000), '%a'.repeat(12_000)])
}

const events: string[] = []
let database: MemoryDatabase

beforeEach(async () => {
  // Work that takes long gives way to others. Here none does, however busy the machine is: the clock stands still.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  events.length = 0
  database = await MemoryDatabase.open({
    broke: (failure) => events.push(`broke: ${failure.name}`),
    replaced: (restored) => events.push(`replaced, restored: ${restored}`),
    failed: (reason) => events.push(`failed: ${reason}`),
  })
  database.transaction(function* () {
    yield* one('create table a (id integer primary key autoincrement, t text) strict')
    yield* one(
      'create table b (id integer primary key, a integer references a (id) on delete cascade) strict',
    )
    yield* one("insert into a (t) values ('first')")
  })
})

afterEach(async () => {
  await database.close()
  vi.restoreAllMocks()
})

function texts(): unknown {
  const rows = database.read(() => one('select t from a order by id'))
  if (rows instanceof Promise) throw new TypeError('nothing holds the database')
  return rows.flat()
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}

describe('work', () => {
  test('is answered at once', () => {
    expect(texts()).toEqual(['first'])
  })

  test('within work is refused, and undoes the outer transaction', () => {
    expect(() =>
      database.transaction(function* () {
        yield* one("insert into a (t) values ('second')")
        texts()
      }),
    ).toThrow(InvariantError)
    expect(texts()).toEqual(['first'])
  })

  test('of a read may not write', () => {
    expect(() => database.read(() => one("insert into a (t) values ('x')"))).toThrow('a read may not write')
    expect(texts()).toEqual(['first'])
  })

  for (const values of [[], [1, 2]]) {
    test(`with ${values.length} values for one placeholder is refused`, () => {
      expect(() => database.read(() => one("select t, '?' from a where id = ?", values))).toThrow(
        `${values.length} values for 1 placeholders`,
      )
    })
  }

  test('after the end is refused', async () => {
    await database.close()
    expect(texts).toThrow('the database is closed')
  })
})

describe('prepared statements', () => {
  test('are kept, up to a bound, and freed ones are prepared again', () => {
    const largest = 2000 + 10 * 'select 4999 + ?'.length
    const most = Math.ceil(cacheBudgets.statements / (largest - 100))
    for (let number = 0; number < 5000; number++) {
      for (let time = 0; time < 2; time++)
        expect(database.read(() => one(`select ${number} + ?`, [1]))).toEqual([[number + 1]])
    }
    expect(database.prepared).toBeGreaterThan(most / 2)
    expect(database.prepared).toBeLessThan(most)
  })

  test('the one used most lately stays', () => {
    const before = database.prepared
    texts()
    for (let number = 0; number < 300; number++) database.read(() => one(`select ${number}`))
    texts()
    for (let number = 300; number < 600; number++) database.read(() => one(`select ${number}`))
    expect(database.prepared).toBeGreaterThan(before)
    expect(texts()).toEqual(['first'])
  })

  test('survive a change of the tables', () => {
    texts()
    database.transaction(() => one('alter table a add column more integer'))
    expect(texts()).toEqual(['first'])
  })

  test('that failed can be used again', () => {
    const insert = () => database.transaction(() => one('insert into b (a) values (?)', [7]))
    expect(insert).toThrow('FOREIGN KEY')
    database.transaction(() => one("insert into a (id, t) values (7, 'seventh')"))
    expect(insert()).toEqual([])
  })
})

describe('snapshots', () => {
  test('bring everything back, ids already given included', () => {
    database.transaction(() => one('delete from a'))
    const empty = database.snapshot()
    database.transaction(() => one("insert into a (t) values ('second')"))
    database.restore(empty)
    expect(texts()).toEqual([])
    expect(database.transaction(() => one("insert into a (t) values ('third') returning id"))).toEqual([[2]])
  })

  test('can be restored again and again, and do not change', () => {
    const snapshot = database.snapshot()
    for (let round = 0; round < 3; round++) {
      database.transaction(() => one("insert into a (t) values ('second')"))
      database.restore(snapshot)
      expect(texts()).toEqual(['first'])
    }
  })

  test('leave the rules of the connection as they were', () => {
    database.restore(database.snapshot())
    for (const [name, value] of [
      ['foreign_keys', 1],
      ['recursive_triggers', 1],
      ['trusted_schema', 0],
      ['cell_size_check', 1],
      ['hard_heap_limit', 1_500_000_000],
    ] as const) {
      expect(database.transaction(() => one(`pragma ${name}`))).toEqual([[value]])
    }
    expect(() => database.transaction(() => one('insert into b (a) values (9)'))).toThrow('FOREIGN KEY')
  })

  test('are not taken within work', () => {
    expect(() =>
      database.transaction(function* () {
        yield* one("insert into a (t) values ('second')")
        database.snapshot()
      }),
    ).toThrow(InvariantError)
  })

  test('of another database can be taken over', async () => {
    const other = await MemoryDatabase.open()
    other.restore(database.snapshot())
    expect(other.read(() => one('select t from a'))).toEqual([['first']])
    await other.close()
    expect(texts()).toEqual(['first'])
  })

  test('that are none are refused, and the content stays', () => {
    const nonsense = { bytes: new Uint8Array(5000).fill(7) }
    expect(() => database.restore(nonsense)).toThrow()
    expect(texts()).toEqual(['first'])
  })
})

describe('an engine that breaks', () => {
  function caught(task: () => unknown): unknown {
    try {
      task()
    } catch (error) {
      return error
    }
    return undefined
  }

  test('is replaced by one with the last snapshot; meanwhile clients are told to retry', async () => {
    database.snapshot()
    database.transaction(() => one("insert into a (t) values ('after the snapshot')"))
    const error = caught(() => database.read(breakEngine))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect((error as ApiError).cause).toBeInstanceOf(EngineFailure)
    expect(caught(texts)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(caught(() => database.transaction(() => one('delete from a')))).toMatchObject({ status: 503 })
    expect(caught(() => database.snapshot())).toMatchObject({ status: 503 })
    await until(() => events.length === 2)
    expect(events).toEqual(['broke: EngineFailure', 'replaced, restored: true'])
    expect(texts()).toEqual(['first'])
    expect(() => database.transaction(() => one('insert into b (a) values (9)'))).toThrow('FOREIGN KEY')
  })

  test('in the middle of a transaction takes the transaction with it', async () => {
    database.snapshot()
    const error = caught(() =>
      database.transaction(function* () {
        yield* one("insert into a (t) values ('second')")
        yield* breakEngine()
      }),
    )
    expect(error).toMatchObject({ status: 503 })
    await until(() => events.length === 2)
    expect(texts()).toEqual(['first'])
  })

  test('is replaced even where the work answers with an error of its own', async () => {
    const error = caught(() =>
      database.transaction(function* () {
        try {
          yield* breakEngine()
        } catch {
          throw new Error('something else')
        }
      }),
    )
    expect(error).toMatchObject({ status: 503 })
    await until(() => events.length === 2)
  })

  test('starts empty where there was no snapshot', async () => {
    caught(() => database.read(breakEngine))
    await until(() => events.length === 2)
    expect(events).toEqual(['broke: EngineFailure', 'replaced, restored: false'])
    expect(texts).toThrow('no such table')
  })

  test('may break as often as it likes', async () => {
    database.snapshot()
    for (let round = 1; round <= 60; round++) {
      expect(caught(() => database.read(breakEngine))).toMatchObject({ status: 503 })
      await until(() => events.length === 2 * round)
      expect(texts()).toEqual(['first'])
    }
  })

  test('leaves other databases of the process alone', async () => {
    const other = await MemoryDatabase.open()
    other.transaction(() => one('create table c (id integer) strict'))
    caught(() => database.read(breakEngine))
    expect(other.read(() => one('select * from c'))).toEqual([])
    await other.close()
  })

  test('can be closed while the next one is made', async () => {
    caught(() => database.read(breakEngine))
    await database.close()
    expect(texts).toThrow('the database is closed')
  })
})

describe('a transaction that waits for users’ code', () => {
  const insert = (text: string) => database.transaction(() => one(`insert into a (t) values ('${text}')`))
  const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

  test('is all or nothing', async () => {
    const failing = database.hold(async () => {
      await insert('held')
      await soon()
      throw new Error('the hook')
    })
    await expect(failing).rejects.toThrow('the hook')
    expect(texts()).toEqual(['first'])
    await database.hold(async () => {
      await insert('held')
      await soon()
    })
    expect(texts()).toEqual(['first', 'held'])
  })

  test('others see nothing of it, and write after it', async () => {
    let seen: unknown
    const held = database.hold(async () => {
      await insert('held')
      await soon()
      throw new Error('the hook')
    })
    const read = Promise.resolve(database.read(() => one('select t from a'))).then((rows) => {
      seen = rows
    })
    const written = insert('other')
    expect(() => database.snapshot()).toThrow('lifecycle hook')
    await expect(held).rejects.toThrow('the hook')
    await Promise.all([read, written])
    expect(seen).toEqual([['first']])
    expect(texts()).toEqual(['first', 'other'])
  })

  test('one within another is undone by itself', async () => {
    await database.hold(async () => {
      await insert('outer')
      const inner = database.hold(async () => {
        await insert('inner')
        await soon()
        throw new Error('the inner hook')
      })
      await expect(inner).rejects.toThrow('the inner hook')
      await database.hold(() => Promise.resolve(insert('second')))
    })
    expect(texts()).toEqual(['first', 'outer', 'second'])
  })

  test('ends, however deep hooks call hooks', async () => {
    const deeper = async (): Promise<unknown> => database.hold(deeper)
    await expect(database.hold(deeper)).rejects.toThrow('10 levels deep')
    expect(texts()).toEqual(['first'])
  })

  test('many at once are taken one after the other', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.hold(async () => {
          await insert(`n${index}`)
          await soon()
          if (index % 2 === 0) throw new Error('every second')
        }),
      ).map((held) => held.catch(() => {})),
    )
    expect((texts() as unknown[]).length).toBe(11)
  })
})

test('a hook that never ends does not keep the database', async () => {
  const steps: string[] = []
  const note = (name: string) => () => void steps.push(name)
  const holds = new TransactionHolds(
    {
      begin: note('begin'),
      commit: note('commit'),
      rollback: note('rollback'),
      save: note('save'),
      release: note('release'),
      rollbackTo: note('rollbackTo'),
    },
    20,
  )
  await expect(holds.run(() => new Promise(() => {}))).rejects.toMatchObject({ status: 503 })
  expect(steps).toEqual(['begin', 'rollback'])
  expect(holds.held).toBe(false)
})
