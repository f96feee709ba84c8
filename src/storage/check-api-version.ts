// Which dialect of content a database was filled with: rows are entries in the one and versions of documents in the
// other, so that content has to be moved before the tables of the other dialect can hold it.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { run, type Work } from './database.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout, Table } from './sql/layout.ts'
import { migrationStatements } from './sql/migrations/migration-statements.ts'
import type { RenamedLayout } from './sql/migrations/rename-layout.ts'

/** Moves content to the dialect of the configuration, within a migration's transaction. */
export interface ApiVersionMove {
  /** The tables of the same configuration in the dialect that the database was filled with. */
  readonly layout: Layout
  /** Called when the database has the tables of `layout`. */
  before(): Work<void>
  /** Called when it has those of the configuration. */
  after(): Work<void>
  /** The moved content, and why it may not be moved. */
  moved(): { readonly types: readonly MovedType[]; readonly diagnostics: readonly Diagnostic[] }
}

export interface MovedType {
  readonly table: string
  /** In words: `12 entries become documents, 9 of them published`. */
  readonly text: string
  readonly rows: number
  /** Drafts whose changes are dropped. */
  readonly lost: number
}

/**
 * `other`: each table with content is of the other dialect; `mixed`: some are. Empty tables may change. Rows are counted
 * only where tables differ, under the name that `before` gives them there.
 */
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
    const count = migrationStatements(dialect).countRows(formerNames.get(name) ?? name)
    const [row] = yield* run(count, [])
    if (Number(row?.[0]) > 0) found[isSame(pair) ? 'same' : 'other'] += 1
  }
  if (found.other === 0) return 'same'
  return found.same === 0 ? 'other' : 'mixed'
}

/** `why`: what keeps the content from being moved. */
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

/** A column that is hidden belongs to an earlier configuration. */
function hasDocuments({
  columns,
}: {
  readonly columns: readonly { name: string; hidden?: boolean }[]
}): boolean {
  return columns.some(({ name, hidden }) => name === 'document_id' && hidden !== true)
}
