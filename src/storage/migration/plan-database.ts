// Finds what a start or reload would do to the database.

import type { Config, DatabaseConfig } from '../../config/config.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { unreachable } from '../../lib/errors/invariant.ts'
import type { Model } from '../../model/model.ts'
import type { Database } from '../database.ts'
import { OpenFailure } from '../database.ts'
import { type Migration, planMigration } from '../migrate.ts'
import { findMissingFile, openDatabase } from '../open-database.ts'
import { buildLayout, type ModelLayout } from '../sql/build-layout.ts'
import type { LayoutChange } from '../sql/migrations/diff-layout.ts'
import { createMigrationOptions } from './migration-options.ts'

export interface PlannedChange {
  readonly mark: '+' | '~' | '-'
  readonly kind: LayoutChange['kind'] | 'drop-table' | 'drop-column' | 'move-content'
  readonly table: string
  readonly column?: string
  readonly text: string
  readonly rows: number
  /** Whether stored values are lost. */
  readonly destructive: boolean
}

export interface DatabasePlan {
  readonly outcome: 'none' | 'changes' | 'destructive' | 'refused'
  readonly client: DatabaseConfig['client']
  readonly changes: readonly PlannedChange[]
  readonly foreignTables: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function planDatabase(config: Config, model: Model): Promise<DatabasePlan> {
  const { client } = config.database
  let database: Database
  try {
    database = await openDatabase(withoutNewFile(config), config.directory, { alongside: true })
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error
    return { outcome: 'refused', client, changes: [], foreignTables: [], diagnostics: error.diagnostics }
  }
  try {
    return await planOn(database, config, model)
  } finally {
    await database.close()
  }
}

export async function planOn(database: Database, config: Config, model: Model): Promise<DatabasePlan> {
  const { client, migrations } = config.database
  const layout = buildLayout(model)
  const migration = await planMigration(database, layout, createMigrationOptions(config, model))
  const drops = migrations.destructive === 'apply'
  const changes = migration.ok ? plannedChanges(migration, layout, drops) : []
  return {
    outcome: migration.ok ? buildOutcome(changes) : 'refused',
    client,
    changes,
    foreignTables: migration.foreign,
    diagnostics: migration.diagnostics,
  }
}

/** Plans in memory if the database file does not exist, because opening it would create the file. */
function withoutNewFile(config: Config): DatabaseConfig {
  const { database } = config
  return findMissingFile(config) === undefined ? database : { ...database, client: 'memory' }
}

function buildOutcome(changes: readonly PlannedChange[]): DatabasePlan['outcome'] {
  if (changes.some(({ destructive }) => destructive)) return 'destructive'
  return changes.length > 0 ? 'changes' : 'none'
}

function plannedChanges(migration: Migration, layout: ModelLayout, drops: boolean): readonly PlannedChange[] {
  const created = new Set(
    migration.changes.flatMap((change) => (change.kind === 'create-table' ? [change.table.name] : [])),
  )
  const changes: PlannedChange[] = migration.moved.map(({ table, text, rows, lost }) => ({
    mark: '~',
    kind: 'move-content',
    table,
    text,
    rows,
    destructive: lost > 0,
  }))
  for (const [index, change] of migration.changes.entries()) {
    if (change.kind === 'create-index' && (created.has(change.table.name) || !change.index.unique)) continue
    if (change.kind === 'drop-index' && !(change.index.unique && layout.tables.has(change.table.name)))
      continue
    changes.push(describe(change, migration.rows[index] ?? 0, drops))
  }
  if (!drops) return changes
  for (const { table, column, rows } of migration.hidden) {
    const name = column === undefined ? `table ${table}` : `column ${table}.${column}`
    changes.push({
      mark: '-',
      kind: column === undefined ? 'drop-table' : 'drop-column',
      table,
      ...(column !== undefined && { column }),
      text: `${name}, hidden by an earlier change, is dropped with ${some(rows, column === undefined ? 'row' : 'value')}`,
      rows,
      destructive: rows > 0,
    })
  }
  return changes
}

function describe(change: LayoutChange, rows: number, drops: boolean): PlannedChange {
  const make = (mark: PlannedChange['mark'], text: string, column?: string): PlannedChange => ({
    mark,
    kind: change.kind,
    table: change.table.name,
    ...(column !== undefined && { column }),
    text,
    rows,
    destructive: drops && rows > 0 && (change.kind === 'hide-table' || change.kind === 'hide-column'),
  })
  switch (change.kind) {
    case 'create-table':
      return make('+', `table ${change.table.name}`)
    case 'show-table':
      return make('+', `table ${change.table.name} shows ${some(rows, 'row')} again`)
    case 'hide-table':
      return make('-', `table ${change.table.name} ${left(rows, 'row', drops)}`)
    case 'replace-table':
      return make('~', `table ${change.table.name} is created again, because it points at another table`)
    case 'add-column': {
      const { table, column } = change
      const filled = rows > 0 ? `, filled in ${some(rows, 'row')}` : ''
      return make('+', `column ${table.name}.${column.name} (${column.type})${filled}`, column.name)
    }
    case 'show-column': {
      const { table, column } = change
      return make('+', `column ${table.name}.${column.name} shows ${some(rows, 'value')} again`, column.name)
    }
    case 'hide-column': {
      const { table, column } = change
      return make('-', `column ${table.name}.${column.name} ${left(rows, 'value', drops)}`, column.name)
    }
    case 'set-column-aside': {
      const { table, column, aside } = change
      const stays = `its ${some(rows, 'earlier value')} (${column.type}) as ${aside}`
      return make('~', `column ${table.name}.${column.name} starts empty and keeps ${stays}`, column.name)
    }
    case 'convert-column': {
      const { table, before, column } = change
      const types = `${before.type} to ${column.type}`
      return make(
        '~',
        `column ${table.name}.${column.name} from ${types}, ${some(rows, 'value')}`,
        column.name,
      )
    }
    case 'rename-table':
      return make('~', `table ${change.from} is renamed to ${change.table.name} with ${some(rows, 'row')}`)
    case 'rename-column': {
      const { table, from, column } = change
      const to = `is renamed to ${column.name} with ${some(rows, 'value')}`
      return make('~', `column ${table.name}.${from} ${to}`, column.name)
    }
    case 'rename-text': {
      const { table, text } = change
      const rename = `says "${text.to}" instead of "${text.from}" in ${some(rows, 'row')}`
      return make('~', `column ${table.name}.${text.column} ${rename}`, text.column)
    }
    case 'drop-index':
      return make(
        '-',
        `${change.index.columns.join(' with ')} of ${change.table.name} need not be unique any more`,
      )
    case 'create-index':
      return make('+', `${change.index.columns.join(' with ')} of ${change.table.name} must be unique`)
    case 'check-together': {
      const { columns, links } = change.together
      const parts = [...links.map(({ origin }) => origin), ...columns]
      return make('+', `${parts.join(' with ')} of ${change.table.name} must be unique`)
    }
    default:
      return unreachable(change)
  }
}

function left(rows: number, thing: string, drops: boolean): string {
  if (drops) return `is dropped with ${some(rows, thing)}`
  return `is hidden, ${some(rows, thing)} ${rows === 1 ? 'stays' : 'stay'} in the database`
}

function some(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
