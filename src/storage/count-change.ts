// Reads how many rows a change of the layout concerns, and whether they allow it, before it is made.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { unreachable } from '../lib/errors/invariant.ts'
import { run, type Work } from './database.ts'
import {
  createMigrationReport,
  MAX_NAMED_ENTRIES,
  type MigrationReport,
  type ReportOptions,
} from './migration-report.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Table, Together } from './sql/layout.ts'
import { buildConverter } from './sql/migrations/convert-value.ts'
import type { LayoutChange } from './sql/migrations/diff-layout.ts'
import {
  BATCH_ROWS,
  createMigrationStatements,
  type MigrationStatements,
} from './sql/migrations/migration-statements.ts'
import type { PlannedTables } from './sql/migrations/planned-tables.ts'
import type { SqlValue, Statement } from './sql/statement.ts'

interface CountContext {
  readonly dialect: Dialect
  /** As the changes before this one leave them. */
  readonly tables: PlannedTables
  readonly statements: MigrationStatements
  readonly report: MigrationReport
  readonly created: Set<string>
  /** Columns, as `table.column`, that cannot be converted, so that nothing is said of their indexes. */
  readonly failed: Set<string>
}

export function createCountContext(
  dialect: Dialect,
  tables: PlannedTables,
  options: ReportOptions,
): CountContext {
  return {
    dialect,
    tables,
    statements: createMigrationStatements(dialect, tables.from),
    report: createMigrationReport(options),
    created: new Set(),
    failed: new Set(),
  }
}

interface ChangeCount {
  readonly rows: number
  readonly diagnostic?: Diagnostic | undefined
}

export function* countChange(context: CountContext, change: LayoutChange): Work<ChangeCount> {
  const { dialect, statements, report } = context
  switch (change.kind) {
    case 'rename-table': {
      const { table, from } = change
      return tellIfAny(yield* number(statements.countRows(from)), (count) =>
        report.renamedTable(table, from, count),
      )
    }
    case 'rename-column': {
      const { table, column, from } = change
      return tellIfAny(yield* number(statements.countValues(table.name, from)), (count) =>
        report.renamedColumn(table, column, from, count),
      )
    }
    case 'rename-text': {
      const { table, text } = change
      const from = dialect.encode('text', text.from)
      return { rows: yield* number(statements.countText(table.name, text.column), [from]) }
    }
    case 'create-table':
      context.created.add(change.table.name)
      return { rows: 0 }
    case 'replace-table':
      return yield* countReplaced(context, change)
    case 'show-table':
      return tellIfAny(yield* number(statements.countRows(change.table.name)), (count) =>
        report.shownTable(change.table, count),
      )
    case 'hide-table':
      return tellIfAny(yield* number(statements.countRows(change.table.name)), (count) =>
        report.tableLeft(change.table, count),
      )
    case 'add-column':
      return {
        rows: context.tables.fills(change) ? yield* number(statements.countRows(change.table.name)) : 0,
      }
    case 'show-column':
    case 'hide-column':
    case 'set-column-aside': {
      const { kind, table, column } = change
      const tell = { 'show-column': report.shownColumn, 'hide-column': report.columnLeft } as const
      const say = kind === 'set-column-aside' ? report.setAside : tell[kind]
      return tellIfAny(yield* number(statements.countValues(table.name, column.name)), (count) =>
        say(table, column, count),
      )
    }
    case 'convert-column':
      return yield* countConverted(context, change)
    case 'drop-index':
      return { rows: 0 }
    case 'create-index': {
      const { table, index } = change
      if (index.unique && !context.created.has(table.name)) {
        const ids = yield* findAlike(context, table, { columns: index.columns, links: [] }, () =>
          statements.duplicates(table, index, MAX_NAMED_ENTRIES + 1),
        )
        if (ids.length > 0) return { rows: ids.length, diagnostic: report.duplicates(table, index, ids) }
      }
      const obstacle = index.text === true ? statements.textIndexObstacle() : undefined
      const [row] = obstacle === undefined ? [] : yield* run(obstacle, [])
      if (row === undefined) return { rows: 0 }
      return { rows: 0, diagnostic: report.noTextIndex(table, index, [String(row[0]), String(row[1])]) }
    }
    case 'check-together': {
      const { table, together } = change
      const ids = yield* findAlike(context, table, together, () =>
        statements.together(table, together, MAX_NAMED_ENTRIES + 1),
      )
      if (ids.length === 0) return { rows: 0 }
      return { rows: ids.length, diagnostic: report.inCommon(table, together, ids) }
    }
    default:
      return unreachable(change)
  }
}

type Change<K extends LayoutChange['kind']> = Extract<LayoutChange, { kind: K }>

function tellIfAny(rows: number, tell: (count: number) => Diagnostic): ChangeCount {
  return rows === 0 ? { rows } : { rows, diagnostic: tell(rows) }
}

function* countReplaced(context: CountContext, change: Change<'replace-table'>): Work<ChangeCount> {
  const { table, before, effect } = change
  if (effect === 'expand') return { rows: 0 }
  const count = yield* number(context.statements.countRows(table.name))
  if (count === 0) return { rows: 0 }
  for (const column of table.columns) context.failed.add(`${table.name}.${column.name}`)
  return {
    rows: count,
    diagnostic: context.report.retargeted({ ...before, columns: table.columns }, count),
  }
}

function* countConverted(context: CountContext, change: Change<'convert-column'>): Work<ChangeCount> {
  const { statements, report, failed } = context
  const { table, before, column } = change
  const total = yield* number(statements.countValues(table.name, before.name))
  const convert = buildConverter(before.type, column.type)
  if (convert === undefined) {
    if (total === 0) return { rows: 0 }
    failed.add(`${table.name}.${column.name}`)
    return { rows: total, diagnostic: report.noConversion(table, before, column, total) }
  }
  const next = statements.valuesBehind(table.name, before)
  const lost: number[] = []
  yield* forEachValue(next, (id, value) => {
    if (convert(value) === undefined) lost.push(id)
    return []
  })
  if (lost.length === 0) return tellIfAny(total, () => report.converted(table, before, column, total))
  failed.add(`${table.name}.${column.name}`)
  return { rows: total, diagnostic: report.notConvertible(table, column, lost.length, lost) }
}

/** In batches by id; `next` is a statement of `valuesBehind`. */
export function* forEachValue(
  next: Statement,
  use: (id: number, value: SqlValue) => Iterable<never> | Work<void>,
): Work<void> {
  let last = Number.MIN_SAFE_INTEGER
  for (let more = true; more; ) {
    const rows = yield* run(next, [last])
    more = rows.length === BATCH_ROWS
    for (const [id, value] of rows) {
      last = Number(id)
      yield* use(last, value ?? null)
    }
  }
}

/** Returns ids of rows that are alike in all of this; `find` does so where no column is converted. */
function* findAlike(
  context: CountContext,
  table: Table,
  together: Together,
  find: () => Statement,
): Work<readonly number[]> {
  const { tables, failed } = context
  if (together.columns.some((name) => failed.has(`${table.name}.${name}`))) return []
  if (together.columns.some((name) => tables.getConversion(table.name, name) !== undefined))
    return yield* findAlikeWhenConverted(context, table, together)
  return (yield* run(find(), [])).map(([id]) => Number(id))
}

/** In batches of ids, because only this process knows the values that columns are going to have. */
function* findAlikeWhenConverted(
  { dialect, tables, statements }: CountContext,
  table: Table,
  together: Together,
): Work<readonly number[]> {
  const conversions = together.columns.map((name) => tables.getConversion(table.name, name))
  const types = together.columns.map(
    (name, place) =>
      conversions[place]?.from ?? table.columns.find((column) => column.name === name)?.type ?? 'text',
  )
  const read = statements.listTuples(table, together, types)
  const end = yield* number(statements.lastId(table.name))
  const groups = new Map<string, Set<number>>()
  for (let first = yield* number(statements.firstId(table.name)); first <= end; first += BATCH_ROWS) {
    for (const [id, ...values] of yield* run(read, [first, first + BATCH_ROWS])) {
      const next = values.map((value, place) => {
        const conversion = conversions[place]
        if (conversion === undefined) return value
        return dialect.encode(conversion.to, conversion.convert(value ?? null) ?? null)
      })
      const key = JSON.stringify(next, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      const group = groups.get(key)
      if (group === undefined) groups.set(key, new Set([Number(id)]))
      else group.add(Number(id))
    }
  }
  const alike = [...groups.values()].filter(({ size }) => size > 1).flatMap((group) => [...group])
  return [...new Set(alike)].slice(0, MAX_NAMED_ENTRIES + 1)
}

function* number(statement: Statement, values: readonly SqlValue[] = []): Work<number> {
  const [row] = yield* run(statement, values)
  return Number(row?.[0] ?? 0)
}
