// The steps of a migration as plain data, so that another process can finish what one began, and the steps that make a
// planned change of the layout. Its rows were counted before and allow it (`count-change.ts`).

import { createHash } from 'node:crypto'
import { unreachable } from '../lib/errors/invariant.ts'
import type { EntryGroups } from './check-api-version.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Column, Layout, Table } from './sql/layout.ts'
import { buildConverter } from './sql/migrations/convert-value.ts'
import { createDdl, type Ddl } from './sql/migrations/ddl.ts'
import type { LayoutChange } from './sql/migrations/diff-layout.ts'
import { createMigrationStatements, type MigrationStatements } from './sql/migrations/migration-statements.ts'
import type { NewValues } from './sql/migrations/planned-tables.ts'
import { formatLayout } from './sql/migrations/stored-layout.ts'
import type { SqlValue, Statement } from './sql/statement.ts'

/** `file`: of a layout and choices that need functions built from the configuration. */
export type MigrationStep =
  /** `index`: the name of the one that is created or dropped. */
  | { readonly kind: 'define'; readonly text: string; readonly index?: string }
  /** The values are names, locales and moments, which JSON holds. */
  | { readonly kind: 'write'; readonly text: string; readonly values: readonly SqlValue[] }
  /** Converts the values of `from` into the column `to`, which is there already. */
  | { readonly kind: 'convert'; readonly table: string; readonly from: Column; readonly to: Column }
  /** Asks the rows again: the plan knows those that stay, but not every link that moves with them. */
  | { readonly kind: 'check'; readonly change: SetChange }
  /** `before`: the layout with the new names. */
  | { readonly kind: 'turn'; readonly before: string; readonly former: boolean; readonly file: string }
  | { readonly kind: 'move'; readonly part: 'before'; readonly file: string }
  | { readonly kind: 'move'; readonly part: 'after'; readonly file: string; readonly groups: EntryGroups }
  /** Stores the new layout. */
  | { readonly kind: 'layout'; readonly text: string }

/** Rows may refuse it. */
type SetChange = Extract<LayoutChange, { kind: 'create-index' | 'check-together' }>

export function isOfSet(change: LayoutChange): change is SetChange {
  return change.kind === 'create-index' || change.kind === 'check-together'
}

export function define(statements: readonly Statement[], index?: string): readonly MigrationStep[] {
  return statements.map(({ text }) => ({ kind: 'define', text, ...(index !== undefined && { index }) }))
}

/** `choices`: what becomes of entries without drafts. */
export function identifyFile(after: Layout, choices = ''): string {
  return createHash('sha256').update(choices).update(formatLayout(after)).digest('hex')
}

interface ListContext {
  readonly dialect: Dialect
  readonly ddl: Ddl
  readonly statements: MigrationStatements
  readonly values: NewValues
}

export function createListContext(dialect: Dialect, values: NewValues): ListContext {
  return { dialect, ddl: createDdl(dialect), statements: createMigrationStatements(dialect), values }
}

export function listSteps(context: ListContext, change: LayoutChange): readonly MigrationStep[] {
  const { dialect, ddl, statements, values } = context
  switch (change.kind) {
    case 'rename-table':
      return define([ddl.renameTable(change.from, change.table.name)])
    case 'rename-column':
      return define([ddl.renameColumn(change.table.name, change.from, change.column.name)])
    case 'rename-text': {
      const { column, from, to } = change.text
      return [write(statements.replaceText(change.table.name, column), encode(to), encode(from))]
    }
    case 'create-table':
      return define([ddl.createTable(change.table)])
    case 'replace-table': {
      const { table, aside, effect } = change
      return define([
        ...(effect === 'expand'
          ? [ddl.renameTable(table.name, aside)]
          : ddl.dropTable({ ...table, indexes: [] })),
        ddl.createTable(table),
      ])
    }
    case 'add-column':
      return addColumn(context, change.table, change.column)
    case 'show-column': {
      const { table, column } = change
      const value = values.fillGaps?.(table, column)
      if (value === undefined) return []
      return [write(statements.setMissing(table.name, column), dialect.encode(column.type, value))]
    }
    case 'set-column-aside':
      return define([ddl.renameColumn(change.table.name, change.column.name, change.aside)])
    case 'convert-column':
      return convertColumn(context, change)
    case 'drop-index':
      return define(ddl.dropIndex(change.table, change.index), change.index.name)
    case 'create-index':
      return define(ddl.createIndex(change.table, change.index), change.index.name)
    case 'show-table':
    case 'hide-table':
    case 'hide-column':
    case 'check-together':
      return []
    default:
      return unreachable(change)
  }

  function encode(text: string): SqlValue {
    return dialect.encode('text', text)
  }
}

function addColumn(
  { dialect, ddl, statements, values }: ListContext,
  table: Table,
  column: Column,
): readonly MigrationStep[] {
  const added = define([ddl.addColumn(table.name, column)])
  if (column.type === 'order') return [...added, write(statements.numberRows(table.name, column.name))]
  const value = values.fill?.(table, column)
  if (value === undefined) return added
  return [...added, write(statements.setAll(table.name, column), dialect.encode(column.type, value))]
}

function convertColumn(
  { ddl }: ListContext,
  { table, before, column, temporary }: Extract<LayoutChange, { kind: 'convert-column' }>,
): readonly MigrationStep[] {
  const to: Column = { ...column, name: temporary }
  const hasValues = buildConverter(before.type, column.type) !== undefined
  return [
    ...define([ddl.addColumn(table.name, to)]),
    ...(hasValues ? [{ kind: 'convert', table: table.name, from: before, to } as const] : []),
    ...define([
      ddl.dropColumn(table.name, before.name),
      ddl.renameColumn(table.name, temporary, column.name),
    ]),
  ]
}

function write({ text }: Statement, ...values: readonly SqlValue[]): MigrationStep {
  return { kind: 'write', text, values }
}
