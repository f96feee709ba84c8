// A database that tells the text of every statement it runs.

import type { Database } from '../../src/storage/database.ts'
import { observeStatements } from '../../src/storage/observe-statements.ts'

/** Totals are counted each time, because it says nothing of changes. */
export function listening(inner: Database, onStatement: (text: string) => void): Database {
  const observed = observeStatements(inner, () => ({ statement }) => {
    onStatement(statement.text)
    return undefined
  })
  return { ...observed, outsideChanges: undefined }
}
