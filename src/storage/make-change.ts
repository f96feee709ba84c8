// Makes one planned change of the layout. Its rows were counted before and allow it (`count-change.ts`).

import { InvariantError, unreachable } from '../lib/errors/invariant.ts'
import { run, runEach, type Work } from './database.ts'
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
import type { NewValues } from './sql/migrations/planned-tables.ts'

interface ChangeContext {
  readonly dialect: Dialect
  readonly ddl: Ddl
  readonly statements: MigrationStatements
  readonly values: NewValues
}

export function createChangeContext(dialect: Dialect, values: NewValues): ChangeContext {
  return { dialect, ddl: createDdl(dialect), statements: createMigrationStatements(dialect), values }
}

export function* makeChange(context: ChangeContext, change: LayoutChange): Work<void> {
  const { dialect, ddl, statements } = context
  switch (change.kind) {
    case 'rename-table':
      return yield* runEach([ddl.renameTable(change.from, change.table.name)])
    case 'rename-column':
      return yield* runEach([ddl.renameColumn(change.table.name, change.from, change.column.name)])
    case 'rename-text': {
      const { column, from, to } = change.text
      const [old, next] = [from, to].map((text) => dialect.encode('text', text))
      yield* run(statements.replaceText(change.table.name, column), [next ?? null, old ?? null])
      return
    }
    case 'create-table':
      return yield* runEach([ddl.createTable(change.table)])
    case 'replace-table': {
      const { table, aside, effect } = change
      if (effect === 'expand') yield* runEach([ddl.renameTable(table.name, aside)])
      else yield* runEach(ddl.dropTable({ name: table.name, indexes: [] }))
      return yield* runEach([ddl.createTable(table)])
    }
    case 'add-column':
      return yield* addColumn(context, change.table, change.column)
    case 'show-column': {
      const { table, column } = change
      const value = context.values.fillGaps?.(table, column)
      if (value === undefined) return
      yield* run(statements.setMissing(table.name, column), [dialect.encode(column.type, value)])
      return
    }
    case 'set-column-aside':
      return yield* runEach([ddl.renameColumn(change.table.name, change.column.name, change.aside)])
    case 'convert-column':
      return yield* convertColumn(context, change)
    case 'drop-index':
      return yield* runEach(ddl.dropIndex(change.index))
    case 'create-index':
      return yield* runEach(ddl.createIndex(change.table.name, change.index))
    case 'show-table':
    case 'hide-table':
    case 'hide-column':
    case 'check-together':
      return
    default:
      return unreachable(change)
  }
}

function* addColumn(context: ChangeContext, table: Table, column: Column): Work<void> {
  const { dialect, ddl, statements, values } = context
  yield* runEach([ddl.addColumn(table.name, column)])
  if (column.type === 'order') return yield* runEach([statements.numberRows(table.name, column.name)])
  const value = values.fill?.(table, column)
  if (value === undefined) return
  yield* run(statements.setAll(table.name, column), [dialect.encode(column.type, value)])
}

function* convertColumn(
  { dialect, ddl, statements }: ChangeContext,
  { table, before, column, temporary }: Extract<LayoutChange, { kind: 'convert-column' }>,
): Work<void> {
  const convert = buildConverter(before.type, column.type)
  const target: Column = { ...column, name: temporary }
  yield* runEach([ddl.addColumn(table.name, target)])
  const next = statements.valuesBehind(table.name, before)
  const set = statements.setValue(table.name, target)
  let last = Number.MIN_SAFE_INTEGER
  for (let more = convert !== undefined; more; ) {
    const rows = yield* run(next, [last])
    more = rows.length === BATCH_ROWS
    for (const [id, value] of rows) {
      last = Number(id)
      const converted = convert?.(value ?? null)
      if (converted === undefined) throw new InvariantError(`a value of ${table.name} cannot be converted`)
      yield* run(set, [dialect.encode(column.type, converted), last])
    }
  }
  yield* runEach([
    ddl.dropColumn(table.name, before.name),
    ddl.renameColumn(table.name, temporary, column.name),
  ])
}
