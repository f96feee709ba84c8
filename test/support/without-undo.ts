// A database whose tables, columns and indexes do not come back when a transaction is undone, as MySQL's: SQLite with
// another dialect. It can be stopped at each statement and after each commit.

import { type Database, isSteps, StatementFailure } from '../../src/storage/database.ts'
import { observeStatements } from '../../src/storage/observe-statements.ts'

export class Stopped extends Error {}

export interface UndoWatch {
  /** Before a statement of a transaction. */
  readonly asked?: (text: string) => void
  /** After a transaction with these statements. */
  readonly committed?: (texts: readonly string[]) => void | Promise<void>
}

const DEFINES = /^(create|alter|drop) /
const DEFINED = /already exists|already another|no such (table|column|index)|duplicate column name/

export function withoutUndo(database: Database, { asked, committed }: UndoWatch = {}): Database {
  return {
    ...observeStatements(database, () => undefined),
    dialect: { ...database.dialect, undoesDefinitions: false },
    async transaction(work, options) {
      let texts: string[] = []
      const result = await (async () =>
        database.transaction(function* () {
          texts = []
          const steps = work()
          for (let next = steps.next(); ; ) {
            if (next.done === true) return next.value
            for (const { statement } of isSteps(next.value) ? next.value : [next.value]) {
              asked?.(statement.text)
              texts.push(statement.text)
            }
            next = steps.next(yield next.value)
          }
        }, options))().catch((error: unknown) => {
        if (!(error instanceof StatementFailure) || !DEFINED.test(error.message)) throw error
        throw new StatementFailure('defined', error.message, error.statement)
      })
      if (texts.length > 1 && texts.some((text) => DEFINES.test(text)))
        throw new Error(`it would commit half of this: ${texts.join('; ')}`)
      await committed?.(texts)
      return result
    },
  }
}

/**
 * Stopped at the given one of its statements and commits, counted from 0. `made` gets what was committed, without reads and
 * what is written down of the steps and the layout.
 */
export function stoppingAt(database: Database, at: number, made: string[]): Database {
  let count = 0
  const pass = (): void => {
    if (count++ === at) throw new Stopped()
  }
  return withoutUndo(database, {
    asked: pass,
    committed(texts) {
      made.push(...texts.filter((text) => !/^select |cms_run_(migration|layout)/.test(text)))
      pass()
    },
  })
}
