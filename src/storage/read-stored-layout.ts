// Reads the layout that is stored in the database, and the journal of a migration that one transaction cannot undo: its
// steps, and how many of them are done.

import { sql } from 'kysely'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { createDriftFault, differences, findMissingTextIndexes, type Tables } from './check-drift.ts'
import { run, type Work } from './database.ts'
import type { MigrationStep } from './list-steps.ts'
import type { Dialect } from './sql/dialect.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import { isNewerLayout, layoutTable, parseLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'
import { column, ownStatements, ownTable } from './sql/own-statements.ts'

interface StoredText {
  readonly layout: StoredLayout | undefined
  readonly text: string | undefined
  readonly faults: readonly Diagnostic[]
}

export interface Journal {
  readonly steps: readonly MigrationStep[]
  readonly position: number
}

export const journalTable = ownTable('migration', [column('steps', 'json'), column('position', 'integer')])

/** Undefined if no migration was interrupted. */
export function* readJournal(dialect: Dialect): Work<Journal | undefined> {
  const { reading } = ownStatements(dialect)
  const [row] = yield* run(
    reading(sql`select steps, position from ${sql.table(journalTable.name)} where id = 1`),
    [],
  )
  if (row === undefined) return undefined
  // Only this table's own writes are in it.
  return { steps: JSON.parse(String(row[0])), position: Number(row[1]) }
}

export function* readStored(dialect: Dialect, there: Tables): Work<StoredText> {
  const interruption = yield* findInterruption(dialect, there)
  if (interruption !== undefined) return { layout: undefined, text: undefined, faults: [interruption] }
  if (!there.has(layoutTable.name)) return { layout: undefined, text: undefined, faults: [] }
  const [row] = yield* run(createMigrationStatements(dialect).readLayout(), [])
  const text = String(row?.[0])
  const layout = parseLayout(text)
  if (layout === undefined) {
    const fault = isNewerLayout(text) ? newer : createDriftFault('its table cms_run_layout cannot be read')
    return { layout, text, faults: [fault] }
  }
  if (layout.loading === true) return { layout, text, faults: [unfinished] }
  const faults = [...differences(dialect, layout, there), ...(yield* findMissingTextIndexes(dialect, layout))]
  return { layout, text, faults }
}

const newer: Diagnostic = {
  code: 'DBS033',
  severity: 'error',
  path: ['database'],
  message: 'the database was written by a newer version of cms-run',
  help: 'start that version, or put back a backup from before it',
}

const unfinished: Diagnostic = {
  code: 'DBS015',
  severity: 'error',
  path: ['database'],
  message: 'an archive was being imported into this database, and that was not finished',
  help: 'run the same `cms-run import` again: it begins anew',
}

/** Some tables are then as they were, others as they are going to be. */
export function* findInterruption(dialect: Dialect, there: Tables): Work<Diagnostic | undefined> {
  const journal = there.has(journalTable.name) ? yield* readJournal(dialect) : undefined
  return journal && createInterruption('the next start finishes it', 'start the server once')
}

export function createInterruption(what: string, help: string): Diagnostic {
  const message = `a migration of this database was interrupted: ${what}`
  return { code: 'DBS038', severity: 'error', path: ['database'], message, help }
}
