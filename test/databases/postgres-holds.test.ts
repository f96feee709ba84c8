// Transactions on PostgreSQL that stay open while users' code runs.

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, run, UniqueViolation } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'

const here = await postgresHere()

describe.skipIf(here === undefined)('a held transaction', () => {
  let schema: TestSchema
  let database: Database

  beforeEach(async () => {
    schema = await openTestSchema(here ?? '')
    database = await openDatabase(
      {
        ...databaseConfig('postgres'),
        connection: here,
        schema: schema.schema,
        pool: { min: 0, max: 3, acquireTimeout: 5000 },
      },
      '.',
    )
    await database.transaction(() => run(statement('create table words (word text unique)', false), []))
  })
  afterEach(async () => {
    await database.close()
    await schema.drop()
  })

  const insert = async (word: string) =>
    database.transaction(() => run(statement('insert into words values (cast($1 as text))', false), [word]))
  const words = async () =>
    (await database.read(() => run(statement('select word from words order by word', true), []))).flat()
  const hold = <T>(task: () => Promise<T>): Promise<T> => database.hold?.(task) ?? task()

  test('is one: what runs within sees it, others do not, and all of it stays', async () => {
    let inside = (): void => {}
    const waiting = new Promise<void>((resolve) => {
      inside = resolve
    })
    const held = hold(async () => {
      await insert('one')
      expect(await words()).toEqual(['one'])
      inside()
      await wait(50)
      await insert('two')
      return 'done'
    })
    await waiting
    expect(await words()).toEqual([])
    expect(await held).toBe('done')
    expect(await words()).toEqual(['one', 'two'])
  })

  test('that fails leaves nothing behind', async () => {
    const failing = hold(async () => {
      await insert('one')
      throw new Error('second thoughts')
    })
    await expect(failing).rejects.toThrow('second thoughts')
    expect(await words()).toEqual([])
  })

  test('goes on after a part that failed', async () => {
    await insert('taken')
    await hold(async () => {
      await insert('one')
      await expect(insert('taken')).rejects.toBeInstanceOf(UniqueViolation)
      await expect(
        Promise.resolve(database.read(() => run(statement('select nothing', true), []))),
      ).rejects.toThrow()
      await insert('two')
    })
    expect(await words()).toEqual(['one', 'taken', 'two'])
  })

  test('within another is undone by itself', async () => {
    await hold(async () => {
      await insert('outer')
      const inner = hold(async () => {
        await insert('inner')
        throw new Error('only this')
      })
      await expect(inner).rejects.toThrow('only this')
      await Promise.all([hold(() => insert('three')), hold(() => insert('four')), insert('five')])
    })
    expect(await words()).toEqual(['five', 'four', 'outer', 'three'])
  })

  test('is over when it is over', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await hold(async () => {
      await insert('one')
      late = wait(50).then(() => insert('late'))
    })
    // It is no part of it any more, and a write of its own.
    await late
    expect(await words()).toEqual(['late', 'one'])
  })

  test('many at once wait for connections, and end', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        hold(async () => {
          await insert(`a${number}`)
          await insert(`b${number}`)
        }),
      ),
    )
    expect(await words()).toHaveLength(24)
  })
})
