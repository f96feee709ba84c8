// What every database must do with a transaction that waits for users' code.

import { describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { insert, names, withTablesIn } from './database-support.ts'

export function runDatabaseHoldContract(name: string, open: () => Promise<Database>): void {
  const withTables = withTablesIn(open)
  const add = (database: Database, text: string) => database.transaction(() => insert(database, text))
  const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
  const hold = <T>(database: Database, task: () => Promise<T>): Promise<T> => {
    if (database.hold === undefined) throw new Error(`${name} holds no transactions`)
    return database.hold(task)
  }

  describe(`${name}: a transaction that waits for users’ code`, () => {
    test('is all or nothing, and what the code asks belongs to it', () =>
      withTables(async (database) => {
        const failing = hold(database, async () => {
          await add(database, 'Ada')
          await soon()
          expect(await names(database)).toEqual([['Ada']])
          throw new Error('the hook')
        })
        await expect(failing).rejects.toThrow('the hook')
        expect(await names(database)).toEqual([])
        await hold(database, async () => {
          await add(database, 'Ada')
          await soon()
          await add(database, 'Bo')
        })
        expect(await names(database)).toEqual([['Ada'], ['Bo']])
      }))

    test('a statement that fails within it need not end it', () =>
      withTables(async (database) => {
        await hold(database, async () => {
          await add(database, 'Ada')
          await expect(Promise.resolve().then(() => add(database, 'Ada'))).rejects.toThrow()
          await add(database, 'Bo')
        })
        expect(await names(database)).toEqual([['Ada'], ['Bo']])
      }))

    test('one within another is undone by itself', () =>
      withTables(async (database) => {
        await hold(database, async () => {
          await add(database, 'Ada')
          const inner = hold(database, async () => {
            await add(database, 'Bo')
            await soon()
            throw new Error('the inner hook')
          })
          await expect(inner).rejects.toThrow('the inner hook')
          await hold(database, () => Promise.resolve(add(database, 'Cy')))
        })
        expect(await names(database)).toEqual([['Ada'], ['Cy']])
      }))

    test('others see nothing of it before its end', () =>
      withTables(async (database) => {
        let begun = (): void => {}
        const started = new Promise<void>((resolve) => {
          begun = resolve
        })
        const held = hold(database, async () => {
          await add(database, 'Ada')
          begun()
          await soon()
          throw new Error('the hook')
        })
        await started
        const seen = names(database)
        await expect(held).rejects.toThrow('the hook')
        expect(await seen).toEqual([])
      }))

    test('many at once', () =>
      withTables(async (database) => {
        const all = Array.from({ length: 12 }, (_, index) =>
          hold(database, async () => {
            await add(database, `n${index}`)
            await soon()
            if (index % 2 === 0) throw new Error('every second')
          }).catch(() => {}),
        )
        await Promise.all(all)
        expect((await names(database)).length).toBe(6)
      }))

    test('ends, however deep hooks call hooks', () =>
      withTables(async (database) => {
        const deeper = (): Promise<unknown> => hold(database, deeper)
        await expect(hold(database, deeper)).rejects.toThrow('10 levels deep')
        expect(await names(database)).toEqual([])
      }))
  })
}
