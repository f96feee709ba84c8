// Refuses to change a database from one dialect of content to another: rows are entries in the one and versions of
// documents in the other, and nothing moves them yet.

import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Layout, Table } from '../sql/layout.ts'
import { migrationStatements } from '../sql/migrations/migration-statements.ts'
import { run, type Work } from './database.ts'

/** `before`: the tables that there are. Empty ones may change. */
export function* otherDialect(dialect: Dialect, before: Layout, after: Layout): Work<readonly Diagnostic[]> {
  for (const table of after.tables.values()) {
    const known = before.tables.get(table.name)
    if (known === undefined || !isOfEntries(table) || hasDocuments(known) === hasDocuments(table)) continue
    const [row] = yield* run(migrationStatements(dialect).countRows(table.name), [])
    if (Number(row?.[0]) === 0) continue
    const [from, to] = hasDocuments(table) ? ['strapi-4', 'strapi-5'] : ['strapi-5', 'strapi-4']
    return [
      {
        code: 'DBS035',
        severity: 'error',
        path: ['dialect'],
        message: `the database holds content of the dialect ${from}, which the dialect ${to} cannot read`,
        help: `use another database for ${to}, or write "dialect: ${from}"`,
      },
    ]
  }
  return []
}

function isOfEntries({ columns }: Table): boolean {
  return columns.some(({ name }) => name === 'created_at')
}

function hasDocuments({ columns }: Table): boolean {
  return columns.some(({ name }) => name === 'document_id')
}
