// The tables as they will be after the changes so far, as selects from the tables that are there: a migration is
// planned by reading only.

import { sql } from 'kysely'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import type { PlanValue } from '../../../plan/read-plan.ts'
import type { Dialect, Fragment } from '../dialect.ts'
import type { TableSource } from '../kysely-compiler.ts'
import type { Column, ColumnType, Table } from '../layout.ts'
import { buildConverter, type Converter } from './convert-value.ts'
import type { LayoutChange } from './diff-layout.ts'
import type { StoredLayout } from './stored-layout.ts'

/** The values of new columns; undefined leaves them empty. */
export interface NewValues {
  /** Of existing rows in a new column. */
  readonly fill?: (table: Table, column: Column) => PlanValue | undefined
  /** Of rows that were created while the column was hidden. */
  readonly fillGaps?: (table: Table, column: Column) => PlanValue | undefined
}

/** Until the migration is made, the values are those of the column before. */
interface Conversion {
  readonly from: ColumnType
  readonly to: ColumnType
  readonly convert: Converter
}

interface PlannedTable {
  readonly source: Fragment
  /** Selects from the source, whose alias is `own`, by the column's name. */
  readonly columns: ReadonlyMap<string, Fragment>
  readonly rows: Fragment | undefined
}

export class PlannedTables {
  readonly #dialect: Dialect
  readonly #values: NewValues
  readonly #stored: ReadonlyMap<string, Table>
  /** Tables that are not as they are stored, by their new name. */
  readonly #changed = new Map<string, PlannedTable>()
  readonly #conversions = new Map<string, Conversion>()

  constructor(dialect: Dialect, stored: StoredLayout | undefined, values: NewValues) {
    this.#dialect = dialect
    this.#stored = stored?.tables ?? new Map()
    this.#values = values
  }

  readonly from: TableSource = (table) => {
    const changed = this.#changed.get(table)
    if (changed === undefined) return sql.table(table)
    const { source, columns, rows } = changed
    const selected = Array.from(columns, ([name, value]) => sql`${value} as ${sql.ref(name)}`)
    const only = rows === undefined ? sql`` : sql` where ${rows}`
    return sql`(select ${sql.join(selected)} from ${source} as ${sql.ref('own')}${only})`
  }

  getConversion(table: string, column: string): Conversion | undefined {
    return this.#conversions.get(`${table}.${column}`)
  }

  /** Whether existing rows get a value in the new column. */
  fills({ table, column }: { readonly table: Table; readonly column: Column }): boolean {
    return column.type === 'order' || this.#values.fill?.(table, column) !== undefined
  }

  /** `values` select from the table, whose alias is `own`; `rows` is the condition for the rows that stay. */
  replaceRows(table: string, values: ReadonlyMap<string, Fragment>, rows?: Fragment): void {
    const names = [...this.#get(table).columns.keys()]
    const columns = new Map(names.map((name) => [name, values.get(name) ?? getOwn(name)] as const))
    this.#changed.set(table, { source: this.from(table), columns, rows })
  }

  /** Follows a change that is possible. */
  follow(change: LayoutChange): void {
    switch (change.kind) {
      case 'rename-table':
        this.#changed.set(change.table.name, this.#get(change.from))
        return
      case 'rename-column':
        this.#renameColumn(change.table.name, change.from, change.column.name)
        return
      case 'set-column-aside':
        this.#renameColumn(change.table.name, change.column.name, change.aside)
        return
      case 'rename-text': {
        const { table, text } = change
        const own = getOwn(text.column)
        const [from, to] = [text.from, text.to].map((one) => this.#write('text', one))
        const renamed = sql`case when ${own} = ${from} then ${to} else ${own} end`
        this.replaceRows(table.name, new Map([[text.column, renamed]]))
        return
      }
      case 'replace-table':
        if (change.effect === 'expand') this.#changed.set(change.aside, this.#get(change.table.name))
        this.#changed.set(change.table.name, this.#createEmpty(change.table))
        return
      case 'create-table':
        this.#changed.set(change.table.name, this.#createEmpty(change.table))
        return
      case 'show-column': {
        const { table, column } = change
        const value = this.#values.fillGaps?.(table, column)
        if (value === undefined || value === null) return
        const shown = sql`coalesce(${getOwn(column.name)}, ${this.#write(column.type, value)})`
        this.replaceRows(table.name, new Map([[column.name, shown]]))
        return
      }
      case 'add-column':
        this.#addColumn(change.table, change.column)
        return
      case 'convert-column': {
        const { table, before, column } = change
        const convert = buildConverter(before.type, column.type)
        if (convert === undefined) return
        this.#conversions.set(`${table.name}.${column.name}`, { from: before.type, to: column.type, convert })
        return
      }
      default:
        // The others change no row.
        return
    }
  }

  #renameColumn(table: string, from: string, to: string): void {
    const planned = this.#get(table)
    const columns = new Map(
      Array.from(planned.columns, ([name, value]) => [name === from ? to : name, value] as const),
    )
    this.#changed.set(table, { ...planned, columns })
  }

  #addColumn(table: Table, column: Column): void {
    const planned = this.#get(table.name)
    const filled =
      column.type === 'order'
        ? (planned.columns.get('id') ?? getOwn('id'))
        : this.#write(column.type, this.#values.fill?.(table, column) ?? null)
    this.#changed.set(table.name, {
      ...planned,
      columns: new Map([...planned.columns, [column.name, filled]]),
    })
  }

  #get(table: string): PlannedTable {
    const changed = this.#changed.get(table)
    if (changed !== undefined) return changed
    const stored = this.#stored.get(table)
    if (stored === undefined) throw new InvariantError(`the table ${table} is not there`)
    return {
      source: sql.table(table),
      columns: new Map(stored.columns.map(({ name }) => [name, getOwn(name)])),
      rows: undefined,
    }
  }

  #createEmpty(table: Table): PlannedTable {
    return {
      source: sql`(select 1 as ${sql.ref('id')})`,
      columns: new Map(table.columns.map(({ name, type }) => [name, this.#write(type, null)])),
      rows: sql`1 = 0`,
    }
  }

  /** Only values of the configuration: names, locales and moments. */
  #write(type: ColumnType, value: PlanValue): Fragment {
    const encoded = this.#dialect.encode(type, value)
    return this.#dialect.bind(type, encoded === null ? sql`null` : sql.lit(encoded))
  }
}

function getOwn(column: string): Fragment {
  return sql.ref(`own.${column}`)
}
