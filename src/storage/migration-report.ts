// The diagnostics of a migration: errors for lost or misinterpreted values, warnings for changed ones. Values
// are never shown, because they may be private.

import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Column, Index, Table, Together } from './sql/layout.ts'
import type { LikelyRename } from './sql/migrations/likely-renames.ts'
import type { StaleRename } from './sql/migrations/rename-layout.ts'

export const MAX_NAMED_ENTRIES = 5

export interface ReportOptions {
  readonly destructive: 'refuse' | 'apply'
  readonly buildPath?: (origin: string) => DiagnosticPath
}

export interface MigrationReport {
  notConvertible(table: Table, column: Column, count: number, ids: readonly number[]): Diagnostic
  noConversion(table: Table, before: Column, column: Column, count: number): Diagnostic
  converted(table: Table, before: Column, column: Column, count: number): Diagnostic
  duplicates(table: Table, index: Index, ids: readonly number[]): Diagnostic
  noTextIndex(table: Table, index: Index, obstacle: readonly [reason: string, help: string]): Diagnostic
  inCommon(table: Table, together: Together, ids: readonly number[]): Diagnostic
  columnLeft(table: Table, column: Column, count: number): Diagnostic
  tableLeft(table: Table, count: number): Diagnostic
  setAside(table: Table, column: Column, count: number): Diagnostic
  shownColumn(table: Table, column: Column, count: number): Diagnostic
  shownTable(table: Table, count: number): Diagnostic
  retargeted(table: Table, count: number): Diagnostic
  renamedColumn(table: Table, column: Column, from: string, count: number): Diagnostic
  renamedTable(table: Table, from: string, count: number): Diagnostic
  notRenamed(rename: StaleRename): Diagnostic
  likelyRename(rename: LikelyRename, count: number): Diagnostic
}

const REMOVE_FIRST =
  'remove the attribute in one edit and add it with its new type in the next: its old values are then set aside'

export function createMigrationReport({ destructive, buildPath }: ReportOptions): MigrationReport {
  const drops = destructive === 'apply'
  function make(
    code: string,
    severity: Diagnostic['severity'],
    origin: string | undefined,
    message: string,
    help?: string,
  ): Diagnostic {
    const path = origin === undefined ? [] : (buildPath?.(origin) ?? [])
    return { code, severity, path, message, ...(help !== undefined && { help }) }
  }

  return {
    notConvertible: (table, column, count, ids) =>
      make(
        'DBS002',
        'error',
        column.origin,
        `${subject(table, column)} cannot become ${column.type}: ${some(count, 'value')} would be lost (${entries(ids, count)})`,
        `correct these entries, or ${REMOVE_FIRST}`,
      ),
    noConversion: (table, before, column, count) =>
      make(
        'DBS004',
        'error',
        column.origin,
        `${subject(table, column)} cannot turn from ${before.type} to ${column.type}: it holds ${some(count, 'value')}`,
        REMOVE_FIRST,
      ),
    converted: (table, before, column, count) =>
      make(
        'DBS003',
        'warning',
        column.origin,
        `${subject(table, column)} turned from ${before.type} to ${column.type}: ${some(count, 'value')} converted`,
      ),
    duplicates: (table, index, ids) =>
      make(
        'DBS005',
        'error',
        getOrigin(table, index.columns),
        `${index.columns.map((name) => subject(table, getColumn(table, name))).join(' with ')} cannot be unique: ${table.name} has entries with the same value (${entries(ids, ids.length)})`,
        'give these entries different values, or remove the duplicates',
      ),
    noTextIndex: (table, index, [reason, help]) =>
      make('DBS034', 'error', getOrigin(table, index.columns), `texts cannot have an index: ${reason}`, help),
    inCommon: (table, { columns, links }, ids) => {
      const named = [
        ...links.map(({ origin }) => origin),
        ...columns.map((name) => subject(table, getColumn(table, name))),
      ]
      return make(
        'DBS005',
        'error',
        getOrigin(table, columns) ?? table.origin,
        `${named.join(' with ')} cannot be unique: ${table.name} has entries that have it in common (${entries(ids, ids.length)})`,
        'give these entries different values, or remove the duplicates',
      )
    },
    columnLeft: (table, column, count) =>
      drops
        ? make(
            'DBS007',
            'warning',
            column.origin,
            `${subject(table, column)} is dropped with ${some(count, 'value')}`,
          )
        : make(
            'DBS006',
            'warning',
            column.origin,
            `${subject(table, column)} is gone from the configuration: ${stay(count, 'value')} in the database, hidden`,
            `the same attribute brings ${them(count)} back; \`database.migrations.destructive: apply\` drops ${them(count)}`,
          ),
    tableLeft: (table, count) =>
      drops
        ? make(
            'DBS007',
            'warning',
            undefined,
            `the table ${table.name} is dropped with ${some(count, 'row')}`,
          )
        : make(
            'DBS006',
            'warning',
            undefined,
            `the table ${table.name} is gone from the configuration: ${stay(count, 'row')} in the database, hidden`,
            `the same type brings ${them(count)} back; \`database.migrations.destructive: apply\` drops ${them(count)}`,
          ),
    setAside: (table, column, count) =>
      make(
        'DBS010',
        'warning',
        column.origin,
        `${subject(table, column)} starts empty: ${count} of its earlier values (${column.type}) ${count === 1 ? 'stays' : 'stay'} hidden`,
      ),
    shownColumn: (table, column, count) =>
      make(
        'DBS011',
        'warning',
        column.origin,
        `${subject(table, column)} shows ${some(count, 'value')} again that it held before it was removed`,
      ),
    shownTable: (table, count) =>
      make(
        'DBS011',
        'warning',
        undefined,
        `the table ${table.name} shows ${some(count, 'row')} again that it held before it was removed`,
      ),
    retargeted: (table, count) =>
      make(
        'DBS008',
        'error',
        getOrigin(
          table,
          table.columns.map(({ name }) => name),
        ),
        `${
          getOrigin(
            table,
            table.columns.map(({ name }) => name),
          ) ?? `the table ${table.name}`
        } cannot point at another type: it holds ${some(count, 'link')} to the old one`,
        'remove the relation in one edit and add it with its new target in the next: its old links are then set aside',
      ),
    renamedColumn: (table, column, from, count) =>
      make(
        'DBS013',
        'warning',
        column.origin,
        `${subject(table, column)} was ${from} before: ${some(count, 'value')} kept`,
      ),
    renamedTable: (table, from, count) =>
      make(
        'DBS013',
        'warning',
        undefined,
        `the table ${from} is now ${table.name}: ${some(count, 'row')} kept`,
      ),
    likelyRename: ({ what, origin, from }, count) => {
      const name = what === 'component' ? origin : origin.slice(origin.lastIndexOf('.') + 1)
      const old = what === 'component' ? from : from.slice(from.lastIndexOf('.') + 1)
      const left =
        what === 'attribute' ? `${some(count, 'value')}, is gone` : `${some(count, 'row')}, is gone`
      const example = what === 'attribute' ? `, as in "${name}: { type: …, renamedFrom: ${old} }"` : ''
      const proposal = make(
        'DBS016',
        'warning',
        origin,
        `the ${what} ${origin} is new, and one like it, "${old}" with ${left}`,
        `if it was renamed, add "renamedFrom: ${old}" under "${name}"${example}`,
      )
      return { ...proposal, at: 'key' }
    },
    notRenamed: ({ table, column, from }) =>
      column === undefined
        ? make(
            'DBS014',
            'warning',
            table.origin,
            `the table ${from} was not renamed to ${table.name}, which is there already: it stays as it is, hidden`,
            'take renamedFrom out',
          )
        : make(
            'DBS014',
            'warning',
            column.origin,
            `${table.name}.${from} was not renamed to ${column.name}, which is there already: its values stay hidden`,
            'take renamedFrom out',
          ),
  }
}

function getColumn(table: Table, name: string): Column {
  const found = table.columns.find((column) => column.name === name)
  return found ?? { name, type: 'text', nullable: true, origin: undefined }
}

function getOrigin(table: Table, columns: readonly string[]): string | undefined {
  return table.columns.find(({ name, origin }) => origin !== undefined && columns.includes(name))?.origin
}

function subject(table: Table, column: Column): string {
  return column.origin ?? `${table.name}.${column.name}`
}

function some(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function stay(count: number, thing: string): string {
  return `${some(count, thing)} ${count === 1 ? 'stays' : 'stay'}`
}

function them(count: number): string {
  return count === 1 ? 'it' : 'them'
}

function entries(ids: readonly number[], count: number): string {
  const named = ids.slice(0, MAX_NAMED_ENTRIES).join(', ')
  const more = count > MAX_NAMED_ENTRIES ? ', …' : ''
  return `${ids.length === 1 && count === 1 ? 'entry' : 'entries'} ${named}${more}`
}
