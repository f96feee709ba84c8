// A database that tells the text of every statement it runs.

import { type Database, isSteps, type Work } from '../../src/databases/database.ts'
import type { MemoryDatabase } from '../../src/databases/sqlite/memory-database.ts'

export function listening(inner: MemoryDatabase, onStatement: (text: string) => void): Database {
  function* noting<T>(work: () => Work<T>): Work<T> {
    const running = work()
    let next = running.next()
    while (next.done !== true) {
      const asked = next.value
      for (const { statement } of isSteps(asked) ? asked : [asked]) onStatement(statement.text)
      next = running.next(yield asked)
    }
    return next.value
  }
  return {
    dialect: inner.dialect,
    durable: inner.durable,
    read: (work) => inner.read(() => noting(work)),
    transaction: (work) => inner.transaction(() => noting(work)),
    hold: (task) => inner.hold(task),
    close: () => inner.close(),
  }
}
