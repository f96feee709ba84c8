// Detects the API version of a database's content, which must be moved before another version can serve it.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { run, type Work } from './database.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout, Table } from './sql/layout.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import type { PlannedTables } from './sql/migrations/planned-tables.ts'
import type { RenamedLayout } from './sql/migrations/rename-layout.ts'

/** Moves content to the configured API version, within a migration's transaction. */
export interface ApiVersionMove {
  /** The same configuration's tables in the database's API version. */
  readonly layout: Layout
  /** Reads what the others do, and says to the tables what `before` does, unless a diagnostic is an error. */
  plan(tables: PlannedTables): Work<PlannedMove>
  /** Runs before the tables change, and returns what `after` needs. Another process may run `after`. */
  before(): Work<EntryGroups>
  after(groups: EntryGroups): Work<void>
}

/** Ids of entries that are localizations of each other, by the uid of their content-type. */
export type EntryGroups = Readonly<Record<string, readonly (readonly number[])[]>>

export interface PlannedMove {
  readonly types: readonly MovedType[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface MovedType {
  readonly table: string
  readonly text: string
  readonly rows: number
  readonly lost: number
}

/** `other`: each table with content is of the other API version; `mixed`: some are. */
export function* readApiVersion(
  dialect: Dialect,
  before: RenamedLayout,
  after: Layout,
): Work<'same' | 'other' | 'mixed'> {
  const pairs = [...after.tables.values()].flatMap((table) => {
    const known = before.layout?.tables.get(table.name)
    return known !== undefined && isOfEntries(table) ? [{ table, known }] : []
  })
  const isSame = ({ table, known }: (typeof pairs)[number]): boolean =>
    hasDocuments(known) === hasDocuments(table)
  if (pairs.every(isSame)) return 'same'
  const formerNames = new Map(
    before.changes.flatMap((change) =>
      change.kind === 'rename-table' ? [[change.table.name, change.from] as const] : [],
    ),
  )
  const found = { same: 0, other: 0 }
  for (const pair of pairs) {
    const { name } = pair.table
    const count = createMigrationStatements(dialect).countRows(formerNames.get(name) ?? name)
    const [row] = yield* run(count, [])
    if (Number(row?.[0]) > 0) found[isSame(pair) ? 'same' : 'other'] += 1
  }
  if (found.other === 0) return 'same'
  return found.same === 0 ? 'other' : 'mixed'
}

export function getOtherApiVersion(after: Layout, why: string): Diagnostic {
  const documents = [...after.tables.values()].some((table) => isOfEntries(table) && hasDocuments(table))
  const [from, to] = documents ? ['strapi-4', 'strapi-5'] : ['strapi-5', 'strapi-4']
  return {
    code: 'DBS035',
    severity: 'error',
    path: ['dialect'],
    message: `the database holds content of the dialect ${from}, which the dialect ${to} cannot read: ${why}`,
    help: `use another database for ${to}, or write "dialect: ${from}"`,
  }
}

function isOfEntries({ columns }: Table): boolean {
  return columns.some(({ name }) => name === 'created_at')
}

function hasDocuments({
  columns,
}: {
  readonly columns: readonly { name: string; hidden?: boolean }[]
}): boolean {
  return columns.some(({ name, hidden }) => name === 'document_id' && hidden !== true)
}
