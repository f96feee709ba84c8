// Stores values of users' code by key, as `strapi.store` does.

import { type Database, run } from '../storage/database.ts'
import { createValueStatements } from './value-table.ts'

export interface StoredValues {
  /** Undefined if the key has none. */
  get(key: string): Promise<unknown>
  /** A value that JSON can hold. */
  set(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<void>
}

export function createStoredValues(database: Database): StoredValues {
  const statements = createValueStatements(database.dialect)
  return {
    async get(key) {
      const [row] = await database.read(() => run(statements.find, [key]))
      return row === undefined ? undefined : (JSON.parse(String(row[0])) as unknown)
    },
    async set(key, value) {
      await database.transaction(() => run(statements.write, [key, JSON.stringify(value)]))
    },
    async delete(key) {
      await database.transaction(() => run(statements.delete, [key]))
    },
  }
}
