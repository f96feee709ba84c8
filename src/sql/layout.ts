// The tables of a model: what `ddl.ts` creates, `diff-layout.ts` compares and the compilers read. Pure data.

import { valueColumns } from '../attribute-types/attribute-type.ts'

/** What a column holds; each dialect has its type for it in one table. */
export const columnTypes = ['id', 'reference', 'order', ...valueColumns] as const

export type ColumnType = (typeof columnTypes)[number]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Where in the configuration it comes from, for reports: `article.title`; undefined for the runtime's own. */
  readonly origin: string | undefined
  /** `reference`: the table whose `id` it holds; the row goes when that one goes. */
  readonly references?: string
  /** The name that the column had before. */
  readonly formerly?: string
}

export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  /** What of the configuration it is, however it is named: a uid, `<uid>.<attribute>`, or `<uid>.*` for places. */
  readonly origin?: string
  /** Origins under which it may have been known before, the likeliest first. */
  readonly formerly?: readonly string[]
  /** Texts in its columns that stand for something renamed. */
  readonly texts?: readonly TextRename[]
}

/** The rows of the column that say `from` are to say `to`. */
export interface TextRename {
  readonly column: string
  readonly from: string
  readonly to: string
}

export interface Layout {
  /** By name, parents before the tables that refer to them. */
  readonly tables: ReadonlyMap<string, Table>
}
