import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheBudgets } from '../../../src/lib/cache-budgets.ts'
import { ApiError } from '../../../src/lib/errors/api-error.ts'
import { InvariantError } from '../../../src/lib/errors/invariant.ts'
import { EngineFailure, run, type Work } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { TransactionHolds } from '../../../src/storage/drivers/sqlite/transaction-holds.ts'
import type { SqlRow, SqlValue } from '../../../src/storage/sql/statement.ts'
import { statement } from '../../../src/storage/sql/statement.ts'

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

/** Adds, changes or deletes a few rows of some length. */
function change(random: (below: number) => number): void {
  const id = 1 + random(60)
  const text = String.fromCharCode(97 + random(26)).repeat(random(3000))
  const statements: Work<unknown>[] = [
    one('insert into a (t) values (?)', [text]),
    one('insert or replace into a (id, t) values (?, ?)', [id, text]),
    one('update a set t = ? where id = ?', [text, id]),
    one('delete from a where id = ?', [id]),
    one('insert into b (a) select id from a limit 3'),
  ]
  const picked = statements[random(statements.length)]
  if (picked !== undefined) database.transaction(() => picked)
}

function content(): unknown {
  return database.read(function* () {
    return [yield* one('select * from a order by id'), yield* one('select * from b order by id')]
  })
}

/** The same numbers at each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
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

  test('are put back in any order, by the engine they are of and by others', async () => {
    const random = randomNumbers(11)
    const taken = [{ snapshot: database.snapshot(), expected: content() }]
    for (let round = 0; round < 400; round++) {
      const kind = random(10)
      if (kind < 6) {
        for (let time = random(20); time >= 0; time--) change(random)
      } else if (kind < 8) taken.push({ snapshot: database.snapshot(), expected: content() })
      else {
        const one = taken[random(taken.length)]
        if (one === undefined) throw new RangeError('there is one')
        database.restore(one.snapshot)
        expect(content()).toEqual(one.expected)
      }
    }
    expect(database.transaction(() => one('pragma integrity_check'))).toEqual([['ok']])
    const other = await MemoryDatabase.open({}, taken.at(-1)?.snapshot)
    expect(other.transaction(() => one('pragma integrity_check'))).toEqual([['ok']])
    await other.close()
  })

  test('of before a table was made take it away again', () => {
    const before = database.snapshot()
    database.transaction(() => one('create table c (id integer primary key) strict'))
    database.transaction(() => one('insert into c (id) values (1)'))
    const after = database.snapshot()
    database.restore(before)
    expect(() => database.read(() => one('select id from c'))).toThrow('no such table')
    database.restore(after)
    expect(database.read(() => one('select id from c'))).toEqual([[1]])
  })

  test('of two histories with as many changes of the tables are told apart', () => {
    const before = database.snapshot()
    database.transaction(() => one('create index first on a (t)'))
    const after = database.snapshot()
    database.restore(before)
    database.transaction(() => one('create table c (t text) strict'))
    database.transaction(() => one("insert into c (t) values ('lost')"))
    database.restore(after)
    expect(database.read(() => one('select t from a indexed by first'))).toEqual([['first']])
    expect(() => database.read(() => one('select t from c'))).toThrow('no such table')
    expect(database.transaction(() => one('pragma integrity_check'))).toEqual([['ok']])
  })

  test('share the pages that nobody has written', () => {
    database.transaction(function* () {
      for (let row = 0; row < 500; row++) yield* one('insert into a (t) values (?)', ['x'.repeat(500)])
    })
    const before = database.snapshot()
    database.transaction(() => one("update a set t = 'changed' where id = 250"))
    const { pages } = database.snapshot()
    expect(pages.filter((page, index) => page !== before.pages[index]).length).toBeLessThan(5)
    database.restore(before)
    expect(database.snapshot().pages).toEqual(before.pages)
  })

  test('work after a write that was larger than the cache, and undone', () => {
    const before = database.snapshot()
    expect(() =>
      database.transaction(function* () {
        for (let row = 0; row < 45; row++) yield* one('insert into a (t) values (?)', ['x'.repeat(1_000_000)])
        throw new RangeError('undo it')
      }),
    ).toThrow('undo it')
    database.transaction(() => one("insert into a (t) values ('second')"))
    const after = database.snapshot()
    database.restore(before)
    expect(texts()).toEqual(['first'])
    database.restore(after)
    expect(texts()).toEqual(['first', 'second'])
    expect(database.transaction(() => one('pragma integrity_check'))).toEqual([['ok']])
  })

  test('that are none are refused, and the content stays', () => {
    const nonsense = { pages: [new Uint8Array(4096).fill(7), new Uint8Array(4096)], schema: Symbol() }
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
      ready: () => undefined,
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

describe('each database has an engine of its own', () => {
  test('which knows nothing of the one before', async () => {
    const state = 'select last_insert_rowid(), total_changes(), (select count(*) from sqlite_schema)'
    const before = await MemoryDatabase.open()
    before.transaction(function* () {
      yield* one('create table a (t text) strict')
      yield* one('create temp table b (t text)')
      yield* one("insert into a (t) values ('of the one before')")
      yield* one('pragma user_version = 7')
    })
    await before.close()
    const next = await MemoryDatabase.open()
    expect(next.read(() => one(state))).toEqual([[0, 0, 0]])
    expect(next.transaction(() => one('pragma user_version'))).toEqual([[0]])
    expect(() => next.read(() => one('select t from b'))).toThrow('no such table')
    expect(() => before.read(() => one(state))).toThrow(InvariantError)
    await next.close()
  })

  test('also after one that broke', async () => {
    for (let round = 0; round < 5; round++) {
      const broken = await MemoryDatabase.open()
      expect(() => broken.read(breakEngine)).toThrow(ApiError)
      await broken.close()
      const next = await MemoryDatabase.open()
      expect(next.read(() => one('select 1'))).toEqual([[1]])
      await next.close()
    }
  })
})
