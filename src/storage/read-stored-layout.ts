// Reads and writes the layout that is stored in the database.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { createDriftFault, differences, findMissingTextIndexes, type Tables } from './check-drift.ts'
import { run, type Work } from './database.ts'
import type { Dialect } from './sql/dialect.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import { isNewerLayout, layoutTable, parseLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'

interface StoredText {
  readonly layout: StoredLayout | undefined
  readonly text: string | undefined
  readonly faults: readonly Diagnostic[]
}

export function* readStored(dialect: Dialect, there: Tables): Work<StoredText> {
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

export function* writeStored(dialect: Dialect, there: Tables, text: string): Work<void> {
  if (!there.has(layoutTable.name)) yield* run(createDdl(dialect).createTable(layoutTable), [])
  yield* run(createMigrationStatements(dialect).writeLayout(), [text])
}
