// The tables of a model as plain data: `ddl.ts` creates them, `diff-layout.ts` compares them, the compilers read them.

import { valueColumns } from '../../attribute-types/attribute-type.ts'

/** The kinds of columns; each dialect maps these to its own types. */
export const columnTypes = ['id', 'reference', 'order', ...valueColumns] as const

export type ColumnType = (typeof columnTypes)[number]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** The attribute of the column, for reports: `article.title`; undefined for the runtime's own columns. */
  readonly origin: string | undefined
  /** For `reference`: the table whose `id` the column holds; the row is deleted with the referenced row. */
  readonly references?: string
  /** The name that the column had before. */
  readonly formerly?: string
}

export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** Whether it is of the parts of one column's texts. */
  readonly text?: true
  /** Whether it has published rows only. */
  readonly published?: true
  /** Whether it leaves out rows with an empty text in its first column. */
  readonly filled?: true
}

/**
 * Columns of a table, and entries that its rows are linked to, which no two rows may have together. No index can say
 * this, because links are in tables of their own: writes and migrations check it.
 */
export interface Together {
  readonly columns: readonly string[]
  readonly links: readonly LinkColumns[]
  /** Whether only published rows count: those of drafts may have the same as their published versions. */
  readonly published?: true
}

/** A join table: `near` holds the id of the row, `far` that of the entry it is linked to. */
interface LinkColumns {
  readonly table: string
  readonly near: string
  readonly far: string
  /** The attribute, for reports: `api::article.article.author`. */
  readonly origin: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  readonly together?: readonly Together[]
  /** The purpose of the table, independent of its name: a uid, `<uid>.<attribute>`, or `<uid>.*` for places. */
  readonly origin?: string
  /** Origins that the table may have had before, the most likely first. */
  readonly formerly?: readonly string[]
  /** Texts in its columns that name something renamed. */
  readonly texts?: readonly TextRename[]
}

/** Rows with `from` in the column are to get `to`. */
export interface TextRename {
  readonly column: string
  readonly from: string
  readonly to: string
}

export interface Layout {
  /** By name, parents before the tables that refer to them. */
  readonly tables: ReadonlyMap<string, Table>
}
