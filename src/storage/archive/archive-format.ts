// Defines the archive format (docs/reference/data.md); names and sizes are limited, because archives are not
// trusted.

import { isRecord } from '../../lib/is-record.ts'
import type { Layout, Table } from '../sql/layout.ts'
import { formatLayout, isNewerLayout, parseLayout } from '../sql/migrations/stored-layout.ts'

export const MANIFEST = 'manifest.json'
export const END = 'end.json'

/** In bytes. A part is closed after the row that reaches `PART`; a single row may be as large as `MAX_PART_BYTES`. */
export const PART_BYTES = 1024 * 1024
export const MAX_PART_BYTES = 256 * 1024 * 1024
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024
export const MAX_FILE_BYTES = 16 * 1024 * 1024 * 1024

export class ArchiveFault extends Error {
  override name = 'ArchiveFault'
}

export interface Manifest {
  readonly layout: Layout
  readonly createdAt: string
}

export interface Counts {
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
}

const FORMAT = 'cms-run-archive'
const VERSION = 1

export function formatManifest(layout: Layout, createdAt: string, version: string): string {
  const text = { format: FORMAT, version: VERSION, cmsRun: version, createdAt }
  return `${JSON.stringify({ ...text, layout: JSON.parse(formatLayout(layout)) }, null, 1)}\n`
}

export function parseManifest(text: string): Manifest {
  const value = parseJson(text, MANIFEST)
  if (!isRecord(value) || value['format'] !== FORMAT)
    throw new ArchiveFault('it was not made by cms-run export')
  const stored = JSON.stringify(value['layout'] ?? null)
  if (Number(value['version']) > VERSION || isNewerLayout(stored)) {
    const [version = 'a newer version'] = /^\d[\w.+-]{0,40}$/.exec(String(value['cmsRun'])) ?? []
    throw new ArchiveFault(
      `it was made with ${version} of cms-run, and this version cannot read it: import it with that version`,
    )
  }
  if (value['version'] !== VERSION) throw new ArchiveFault(`${MANIFEST} has no version that there is`)
  const layout = parseLayout(stored)
  if (layout === undefined) throw new ArchiveFault(`${MANIFEST} does not say what the tables look like`)
  for (const table of layout.tables.values()) checkTable(table, layout)
  return { layout, createdAt: String(value['createdAt']) }
}

export function parseCounts(text: string): Counts {
  const value = parseJson(text, END)
  const rows = isRecord(value) ? value['rows'] : undefined
  const files = isRecord(value) ? value['files'] : undefined
  if (!isRecord(rows) || typeof files !== 'number')
    throw new ArchiveFault(`${END} does not say how many rows and files there are`)
  return {
    rows: Object.fromEntries(Object.entries(rows).map(([name, count]) => [name, Number(count)])),
    files,
  }
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,120}$/
const RESERVED = /^(?:sqlite_|pg_|cms_run_)/i

/** Names become quoted SQL identifiers; still, only names that cms-run could have made are accepted. */
function checkTable({ name, columns, indexes }: Table, layout: Layout): void {
  const names = [name, ...columns.map((column) => column.name), ...indexes.map((index) => index.name)]
  const odd = names.find((one) => !NAME.test(one))
  if (odd !== undefined)
    throw new ArchiveFault(`"${odd.slice(0, 130)}" is not a name of a table, column or index`)
  if (RESERVED.test(name)) throw new ArchiveFault(`the table name ${name} is reserved`)
  if (columns[0]?.name !== 'id' || columns[0].type !== 'id')
    throw new ArchiveFault(`table ${name} has no ids`)
  const known = new Set(columns.map((column) => column.name))
  if (known.size !== columns.length || columns.length > 2000)
    throw new ArchiveFault(`table ${name} has columns that are not valid`)
  for (const index of indexes) {
    if (index.columns.length === 0 || index.columns.some((column) => !known.has(column)))
      throw new ArchiveFault(`index ${index.name} is on columns that the table does not have`)
  }
  for (const { references } of columns) {
    if (references !== undefined && !layout.tables.has(references))
      throw new ArchiveFault(`table ${name} refers to ${references}, which is not there`)
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveFault(`${name} is not JSON`)
  }
}
