// Makes one change of the layout within the migration's transaction. A change that the rows do not allow
// gives an error, which undoes the transaction.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { unreachable } from '../lib/errors/invariant.ts'
import type { PlanValue } from '../plan/read-plan.ts'
import { run, runEach, type Work } from './database.ts'
import {
  createMigrationReport,
  MAX_NAMED_ENTRIES,
  type MigrationReport,
  type ReportOptions,
} from './migration-report.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Column, Table } from './sql/layout.ts'
import { buildConverter } from './sql/migrations/convert-value.ts'
import { createDdl, type Ddl } from './sql/migrations/ddl.ts'
import type { LayoutChange } from './sql/migrations/diff-layout.ts'
import {
  BATCH_ROWS,
  createMigrationStatements,
  type MigrationStatements,
} from './sql/migrations/migration-statements.ts'
import type { RenameChange } from './sql/migrations/rename-layout.ts'
import type { SqlValue, Statement } from './sql/statement.ts'

export interface ChangeOptions extends ReportOptions {
  /** The value of existing rows in a new column; undefined leaves it empty. */
  readonly fill?: (table: Table, column: Column) => PlanValue | undefined
  /** The value of rows that were created while the column was hidden. */
  readonly fillGaps?: (table: Table, column: Column) => PlanValue | undefined
}

interface ChangeContext {
  readonly dialect: Dialect
  readonly ddl: Ddl
  readonly statements: MigrationStatements
  readonly report: MigrationReport
  readonly options: ChangeOptions
  readonly created: Set<string>
  /** Columns, as `table.column`, that could not be converted and so get no index. */
  readonly failed: Set<string>
}

export function createChangeContext(dialect: Dialect, options: ChangeOptions): ChangeContext {
  return {
    dialect,
    ddl: createDdl(dialect),
    statements: createMigrationStatements(dialect),
    report: createMigrationReport(options),
    options,
    created: new Set(),
    failed: new Set(),
  }
}

interface ChangeResult {
  readonly rows: number
  readonly diagnostic?: Diagnostic | undefined
}

export function* makeChange(context: ChangeContext, change: LayoutChange): Work<ChangeResult> {
  const { ddl, statements, report } = context
  switch (change.kind) {
    case 'rename-table':
    case 'rename-column':
    case 'rename-text':
      return yield* makeRename(context, change)
    case 'create-table':
      context.created.add(change.table.name)
      return yield* execute(ddl.createTable(change.table))
    case 'replace-table':
      return yield* replaceTable(context, change)
    case 'show-table':
      return runIfAny(yield* number(statements.countRows(change.table.name)), (count) =>
        report.shownTable(change.table, count),
      )
    case 'hide-table':
      return runIfAny(yield* number(statements.countRows(change.table.name)), (count) =>
        report.tableLeft(change.table, count),
      )
    case 'add-column':
      return yield* addColumn(context, change.table, change.column)
    case 'show-column':
      return yield* showColumn(context, change.table, change.column)
    case 'hide-column':
      return runIfAny(yield* number(statements.countValues(change.table.name, change.column.name)), (count) =>
        report.columnLeft(change.table, change.column, count),
      )
    case 'set-column-aside': {
      const { table, column, aside } = change
      const count = yield* number(statements.countValues(table.name, column.name))
      yield* execute(ddl.renameColumn(table.name, column.name, aside))
      return runIfAny(count, () => report.setAside(table, column, count))
    }
    case 'convert-column':
      return yield* convertColumn(context, change)
    case 'drop-index':
      return yield* execute(...ddl.dropIndex(change.index))
    case 'create-index':
      return yield* createIndex(context, change)
    case 'check-together':
      return yield* checkTogether(context, change)
    default:
      return unreachable(change)
  }
}

function runIfAny(rows: number, tell: (count: number) => Diagnostic): ChangeResult {
  return rows === 0 ? { rows } : { rows, diagnostic: tell(rows) }
}

function* makeRename(context: ChangeContext, change: RenameChange): Work<ChangeResult> {
  const { ddl, dialect, statements, report } = context
  const { table } = change
  if (change.kind === 'rename-table') {
    const { from } = change
    yield* execute(ddl.renameTable(from, table.name))
    return runIfAny(yield* number(statements.countRows(table.name)), (count) =>
      report.renamedTable(table, from, count),
    )
  }
  if (change.kind === 'rename-column') {
    const { column, from } = change
    yield* execute(ddl.renameColumn(table.name, from, column.name))
    return runIfAny(yield* number(statements.countValues(table.name, column.name)), (count) =>
      report.renamedColumn(table, column, from, count),
    )
  }
  const { column, from, to } = change.text
  const [old, next] = [from, to].map((text) => dialect.encode('text', text))
  const rows = yield* number(statements.countText(table.name, column), [old ?? null])
  if (rows > 0) yield* run(statements.replaceText(table.name, column), [next ?? null, old ?? null])
  return { rows }
}

type Change<K extends LayoutChange['kind']> = Extract<LayoutChange, { kind: K }>

function* replaceTable(context: ChangeContext, change: Change<'replace-table'>): Work<ChangeResult> {
  const { ddl, statements, report } = context
  const { table, before, aside, effect } = change
  if (effect === 'expand') {
    yield* execute(ddl.renameTable(table.name, aside))
  } else {
    const count = yield* number(statements.countRows(table.name))
    if (count > 0) {
      for (const column of table.columns) context.failed.add(`${table.name}.${column.name}`)
      return { rows: count, diagnostic: report.retargeted({ ...before, columns: table.columns }, count) }
    }
    yield* execute(...ddl.dropTable({ name: table.name, indexes: [] }))
  }
  return yield* execute(ddl.createTable(table))
}

function* showColumn(
  { dialect, statements, report, options }: ChangeContext,
  table: Table,
  column: Column,
): Work<ChangeResult> {
  const count = yield* number(statements.countValues(table.name, column.name))
  const value = options.fillGaps?.(table, column)
  if (value !== undefined) {
    yield* run(statements.setMissing(table.name, column), [dialect.encode(column.type, value)])
  }
  return runIfAny(count, () => report.shownColumn(table, column, count))
}

function* addColumn(context: ChangeContext, table: Table, column: Column): Work<ChangeResult> {
  const { dialect, ddl, statements, options } = context
  yield* execute(ddl.addColumn(table.name, column))
  const rows = yield* number(statements.countRows(table.name))
  if (column.type === 'order') {
    yield* execute(statements.numberRows(table.name, column.name))
    return { rows }
  }
  const value = options.fill?.(table, column)
  if (value === undefined) return { rows: 0 }
  yield* run(statements.setAll(table.name, column), [dialect.encode(column.type, value)])
  return { rows }
}

function* convertColumn(context: ChangeContext, change: Change<'convert-column'>): Work<ChangeResult> {
  const { dialect, ddl, statements, report } = context
  const { table, before, column, temporary } = change
  const total = yield* number(statements.countValues(table.name, before.name))
  const convert = buildConverter(before.type, column.type)
  if (convert === undefined && total > 0) {
    context.failed.add(`${table.name}.${column.name}`)
    return { rows: total, diagnostic: report.noConversion(table, before, column, total) }
  }
  const target: Column = { ...column, name: temporary }
  yield* execute(ddl.addColumn(table.name, target))
  const lost: number[] = []
  if (convert !== undefined) {
    const next = statements.valuesBehind(table.name, before)
    const set = statements.setValue(table.name, target)
    let last = Number.MIN_SAFE_INTEGER
    for (let more = true; more; ) {
      const rows = yield* run(next, [last])
      more = rows.length === BATCH_ROWS
      for (const [id, value] of rows) {
        last = Number(id)
        const converted = convert(value ?? null)
        if (converted === undefined) lost.push(last)
        else yield* run(set, [dialect.encode(column.type, converted), last])
      }
    }
  }
  if (lost.length > 0) {
    context.failed.add(`${table.name}.${column.name}`)
    return { rows: total, diagnostic: report.notConvertible(table, column, lost.length, lost) }
  }
  yield* execute(ddl.dropColumn(table.name, before.name))
  yield* execute(ddl.renameColumn(table.name, temporary, column.name))
  return runIfAny(total, () => report.converted(table, before, column, total))
}

function* createIndex(context: ChangeContext, change: Change<'create-index'>): Work<ChangeResult> {
  const { ddl, statements, report, created, failed } = context
  const { table, index } = change
  if (index.columns.some((name) => failed.has(`${table.name}.${name}`))) return { rows: 0 }
  if (index.unique && !created.has(table.name)) {
    const rows = yield* run(statements.duplicates(table, index, MAX_NAMED_ENTRIES + 1), [])
    if (rows.length > 0) {
      const ids = rows.map(([id]) => Number(id))
      return { rows: rows.length, diagnostic: report.duplicates(table, index, ids) }
    }
  }
  if (index.text === true) {
    const obstacle = yield* obstacleTo(context)
    if (obstacle !== undefined) return { rows: 0, diagnostic: report.noTextIndex(table, index, obstacle) }
  }
  return yield* execute(...ddl.createIndex(table.name, index))
}

function* checkTogether(
  context: ChangeContext,
  { table, together }: Change<'check-together'>,
): Work<ChangeResult> {
  const { statements, report, failed } = context
  if (together.columns.some((name) => failed.has(`${table.name}.${name}`))) return { rows: 0 }
  const rows = yield* run(statements.together(table, together, MAX_NAMED_ENTRIES + 1), [])
  if (rows.length === 0) return { rows: 0 }
  const ids = rows.map(([id]) => Number(id))
  return { rows: rows.length, diagnostic: report.inCommon(table, together, ids) }
}

function* obstacleTo({
  statements,
}: ChangeContext): Work<readonly [reason: string, help: string] | undefined> {
  const asked = statements.textIndexObstacle()
  const [row] = asked === undefined ? [] : yield* run(asked, [])
  return row === undefined ? undefined : [String(row[0]), String(row[1])]
}

function* execute(...all: readonly Statement[]): Work<ChangeResult> {
  yield* runEach(all)
  return { rows: 0 }
}

function* number(statement: Statement, values: readonly SqlValue[] = []): Work<number> {
  const [row] = yield* run(statement, values)
  return Number(row?.[0] ?? 0)
}
