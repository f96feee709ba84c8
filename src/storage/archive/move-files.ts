// Updates the addresses in entries of files that have moved.

import { isRecord } from '../../lib/is-record.ts'
import { type Database, runAll, type Step } from '../database.ts'
import { readRows } from '../read-tables.ts'
import type { ArchiveValue } from '../sql/archive-value.ts'
import type { Column, Layout, Table } from '../sql/layout.ts'
import { createMigrationStatements } from '../sql/migrations/migration-statements.ts'
import { buildKey, FILE } from './file-keys.ts'
import type { StoredFiles } from './stored-files.ts'

interface MovedFiles {
  readonly files: StoredFiles
  /** By key, unless the address is `/uploads/<key>`. */
  readonly addresses: ReadonlyMap<string, string>
}

export async function moveFiles(database: Database, layout: Layout, moved: MovedFiles): Promise<void> {
  const table = [...layout.tables.values()].find(({ origin }) => origin === FILE)
  if (table === undefined) return
  const { dialect } = database
  const statements = createMigrationStatements(dialect)
  for await (const rows of readRows(database, table)) {
    const steps: Step[] = []
    for (const row of rows) {
      for (const [column, value] of await readChanges(table, row, moved)) {
        const values = [dialect.encode(column.type, value), dialect.encode('id', Number(row[0]))]
        steps.push({ statement: statements.setValue(table.name, column), values })
      }
    }
    if (steps.length > 0) await database.transaction(() => runAll(steps))
  }
}

async function readChanges(
  table: Table,
  row: readonly ArchiveValue[],
  moved: MovedFiles,
): Promise<readonly (readonly [Column, string])[]> {
  const getPlace = (name: string) => table.columns.findIndex((column) => column.name === name)
  const at = (name: string): ArchiveValue => row[getPlace(name)] ?? null
  const change = (name: string, value: string | undefined): readonly (readonly [Column, string])[] => {
    const column = table.columns[getPlace(name)]
    return column === undefined || value === undefined ? [] : [[column, value]]
  }
  const url = await newAddress({ hash: at('hash'), ext: at('ext'), url: at('url') }, moved)
  const formats = at('formats')
  return [
    ...change('url', url),
    ...change('provider', url === undefined ? undefined : moved.files.provider),
    ...change('formats', typeof formats === 'string' ? await movedFormats(formats, moved) : undefined),
  ]
}

async function movedFormats(text: string, moved: MovedFiles): Promise<string | undefined> {
  const formats: unknown = JSON.parse(text)
  if (!isRecord(formats)) return undefined
  let changed = false
  const next: Record<string, unknown> = {}
  for (const [name, format] of Object.entries(formats)) {
    const url = isRecord(format) ? await newAddress(format, moved) : undefined
    next[name] = url === undefined ? format : { ...(format as object), url }
    changed ||= url !== undefined
  }
  return changed ? JSON.stringify(next) : undefined
}

async function newAddress(
  file: Readonly<Record<string, unknown>>,
  { addresses, files }: MovedFiles,
): Promise<string | undefined> {
  const [key] = buildKey(file)
  if (key === undefined) return undefined
  const here = `/uploads/${key}`
  const known = addresses.get(key)
  if (known !== undefined) return known === file['url'] ? undefined : known
  return file['url'] !== here && (await files.open(key)) !== undefined ? here : undefined
}
