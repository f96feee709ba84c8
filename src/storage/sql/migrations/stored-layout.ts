// The layout that the database has: the last configuration's tables plus hidden tables and columns of earlier
// ones, stored as JSON.

import { isRecord } from '../../../lib/is-record.ts'
import { JSON_NAME, MAX_PATH_NAMES } from '../../../model/json-path.ts'
import {
  type Column,
  type ColumnType,
  columnTypes,
  type Index,
  type Table,
  type TextRename,
  type Together,
} from '../layout.ts'

export interface StoredColumn extends Column {
  /** Its values are kept. */
  readonly hidden?: boolean
}

export interface StoredTable extends Table {
  readonly columns: readonly StoredColumn[]
  readonly hidden?: boolean
}

export interface StoredLayout {
  readonly tables: ReadonlyMap<string, StoredTable>
  /** Whether rows are still being loaded, so that the content is incomplete. */
  readonly loading?: boolean
}

export const layoutTable: Table = {
  name: 'cms_run_layout',
  columns: [
    { name: 'id', type: 'id', nullable: false, origin: undefined },
    { name: 'layout', type: 'json', nullable: false, origin: undefined },
  ],
  indexes: [],
}

const VERSION = 1

export function formatLayout({ tables, loading }: StoredLayout): string {
  // Former names come from the configuration and are not stored.
  const stored = { version: VERSION, ...(loading === true && { loading }), tables: [...tables.values()] }
  return JSON.stringify(stored, (key, value: unknown) => (key === 'formerly' ? undefined : value))
}

export function isNewerLayout(text: string): boolean {
  const version = buildRecord(text)?.['version']
  return typeof version === 'number' && version > VERSION
}

export function parseLayout(text: string): StoredLayout | undefined {
  const value = buildRecord(text)
  if (value?.['version'] !== VERSION || !Array.isArray(value['tables'])) return undefined
  const tables = new Map<string, StoredTable>()
  for (const item of value['tables']) {
    const table = parseTable(item)
    if (table === undefined) return undefined
    tables.set(table.name, table)
  }
  return { tables, ...(value['loading'] === true && { loading: true }) }
}

function buildRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function parseTable(value: unknown): StoredTable | undefined {
  if (!isRecord(value)) return undefined
  const { name, columns, indexes, together, origin, texts, hidden } = value
  if (typeof name !== 'string' || !Array.isArray(columns) || !Array.isArray(indexes)) return undefined
  const parsedColumns = columns.map(parseColumn)
  const parsedIndexes = indexes.map(parseIndex)
  if (!parsedColumns.every(isDefined) || !parsedIndexes.every(isDefined)) return undefined
  return {
    name,
    columns: parsedColumns,
    indexes: parsedIndexes,
    ...(Array.isArray(together) && { together: together.filter(isTogether) }),
    ...(typeof origin === 'string' && { origin }),
    ...(Array.isArray(texts) && { texts: texts.filter(isTextRename) }),
    ...(hidden === true && { hidden }),
  }
}

const known: ReadonlySet<unknown> = new Set(columnTypes)

function isColumnType(value: unknown): value is ColumnType {
  return known.has(value)
}

function parseColumn(value: unknown): StoredColumn | undefined {
  if (!isRecord(value)) return undefined
  const { name, type, nullable, origin, references, hidden } = value
  if (typeof name !== 'string' || !isColumnType(type)) return undefined
  return {
    name,
    type,
    nullable: nullable === true,
    origin: typeof origin === 'string' ? origin : undefined,
    ...(typeof references === 'string' && { references }),
    ...(hidden === true && { hidden }),
  }
}

function parseIndex(value: unknown): Index | undefined {
  if (!isRecord(value)) return undefined
  const { name, columns, unique, text, published, filled, json } = value
  if (typeof name !== 'string' || !Array.isArray(columns)) return undefined
  if (json !== undefined && !isPathOfIndex(json)) return undefined
  return {
    name,
    columns: columns.filter((column) => typeof column === 'string'),
    unique: unique === true,
    ...(text === true && { text }),
    ...(published === true && { published }),
    ...(filled === true && { filled }),
    ...(json !== undefined && { json }),
  }
}

/** An archive may hold anything, and the path becomes part of a statement. */
function isPathOfIndex(value: unknown): value is NonNullable<Index['json']> {
  if (!isRecord(value)) return false
  const { path, as } = value
  const isPath = Array.isArray(path) && path.length <= MAX_PATH_NAMES
  return isPath && path.every((name) => JSON_NAME.test(String(name))) && (as === 'number' || as === 'key')
}

function isTogether(value: unknown): value is Together {
  return isRecord(value) && Array.isArray(value['columns']) && Array.isArray(value['links'])
}

function isTextRename(value: unknown): value is TextRename {
  return isRecord(value) && ['column', 'from', 'to'].every((key) => typeof value[key] === 'string')
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}
