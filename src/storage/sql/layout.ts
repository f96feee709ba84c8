// The tables of a model as plain data.

import { valueColumns } from '../../attribute-types/attribute-type.ts'

export const columnTypes = ['id', 'reference', 'order', ...valueColumns] as const

export type ColumnType = (typeof columnTypes)[number]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** The attribute, for reports: `article.title`; undefined for system columns. */
  readonly origin: string | undefined
  /** For `reference`: the table whose `id` the column holds; the row is deleted with the referenced row. */
  readonly references?: string
  readonly formerly?: string
}

export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly text?: true
  readonly published?: true
  readonly filled?: true
  /** The value at a path inside the JSON of the column. */
  readonly json?: { readonly path: readonly string[]; readonly as: 'number' | 'key' }
}

/**
 * Columns and links that no two rows may share together. Writes and migrations check it, because an index
 * cannot span the join tables.
 */
export interface Together {
  readonly columns: readonly string[]
  readonly links: readonly LinkColumns[]
  /** Whether only published rows count: a draft may share them with its published version. */
  readonly published?: true
}

/** Its names are stored in databases, with the layout. */
interface LinkColumns {
  readonly table: string
  readonly near: string
  readonly far: string
  readonly origin: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  readonly together?: readonly Together[]
  /** A uid, `<uid>.<attribute>`, or `<uid>.*` for component positions. */
  readonly origin?: string
  /** The most likely first. */
  readonly formerly?: readonly string[]
  readonly texts?: readonly TextRename[]
}

export interface TextRename {
  readonly column: string
  readonly from: string
  readonly to: string
}

export interface Layout {
  /** By name, parents before the tables that refer to them. */
  readonly tables: ReadonlyMap<string, Table>
}
