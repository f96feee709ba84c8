// Random models, one after the other over the same rows, with renames among them: no value is lost that the plan did
// not announce, and what it announces is what is lost. On every database.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contractDatabase } from '../../../src/storage/contract-database.ts'
import type { Database } from '../../../src/storage/database.ts'
import { applyMigration, type Migration, planMigration } from '../../../src/storage/migrate.ts'
import type { Layout } from '../../../src/storage/sql/layout.ts'
import { layoutOf } from './model-layout.ts'
import {
  configOf,
  everything,
  fill,
  linksSetAside,
  type Names,
  renamedOver,
  renamedTogether,
  steps,
  uniqueSetAside,
} from './random-models.ts'

/** Opens an empty database for each run, which closes it. */
export function runMigrationModelsContract(
  name: string,
  open: () => Promise<Database>,
  numRuns: number,
): void {
  describe(`${name}: models that follow each other`, () => {
    test('no value is lost that the plan did not announce', () =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 4 }), async (models) => {
          const database = await open()
          try {
            let previous: Names = { types: [], attributes: [] }
            for (const step of models) {
              const { config, names } = configOf(step, previous)
              const layout = await layoutOf(config)
              if (await migratedAsAnnounced(database, layout, step.destructive)) {
                previous = names
                await fill(database, layout, step.rows)
              }
            }
          } finally {
            await database.close()
          }
        }),
        { numRuns, examples: [[renamedTogether], [renamedOver], [uniqueSetAside], [linksSetAside]] },
      ))
  })
}

async function migratedAsAnnounced(
  database: Database,
  layout: Layout,
  destructive: 'refuse' | 'apply',
): Promise<boolean> {
  const before = await everything(database)
  const plan = await planMigration(database, layout, { destructive })
  expect(await everything(database)).toEqual(before)
  const done = await applyMigration(database, layout, { destructive })
  expect(done).toEqual({ ...plan, hidden: [] })
  if (!done.ok) {
    expect(await everything(database)).toEqual(before)
    return false
  }
  await contractDatabase(database, { destructive })
  const after = await everything(database)
  for (const [name, { table, values }] of before) {
    const renames = plan.changes.filter((change) => change.kind === 'rename-table')
    // Something empty makes room for what was stored under the old name.
    if (renames.some((one) => one.table.name === name) && !renames.some(({ from }) => from === name)) {
      expect(values['id']).toEqual([])
      continue
    }
    const now = newTableName(plan, name)
    const then = after.get(now)
    if (then === undefined) {
      expect(announcedLoss(plan, now, undefined, destructive)).toBe(values['id']?.length)
      continue
    }
    expect(then.values['id']).toEqual(values['id'])
    for (const { name: column } of table.columns) {
      const full = values[column]?.filter((value) => value !== null) ?? []
      const place = newColumnName(plan, now, column)
      if (place === column && takesName(plan, now, column)) {
        expect(full).toEqual([])
        continue
      }
      const kept = then.values[place]
      if (kept === undefined)
        // A table without rows may be made again, with other columns.
        expect(announcedLoss(plan, now, place, destructive) ?? 0).toBe(full.length)
      else if (isChanged(plan, now, place)) {
        expect(kept.map((value) => value === null)).toEqual(values[column]?.map((value) => value === null))
      } else expect(kept).toEqual(values[column])
    }
  }
  expect((await planMigration(database, layout, { destructive })).changes).toEqual([])
  return true
}

function newTableName({ changes }: Migration, first: string): string {
  let name = first
  for (const change of changes) {
    if (change.kind === 'rename-table' && change.from === name) name = change.table.name
    if (change.kind === 'replace-table' && change.table.name === name && change.effect === 'expand')
      return change.aside
  }
  return name
}

function newColumnName({ changes }: Migration, table: string, column: string): string {
  let name = column
  for (const change of changes) {
    if (change.kind === 'rename-column' && change.table.name === table && change.from === name)
      name = change.column.name
    if (change.kind === 'set-column-aside' && change.table.name === table && change.column.name === name)
      return change.aside
  }
  return name
}

/** Whether another column of the table gets this name. */
function takesName({ changes }: Migration, table: string, column: string): boolean {
  return changes.some(
    (change) =>
      change.kind === 'rename-column' && change.table.name === table && change.column.name === column,
  )
}

function isChanged({ changes }: Migration, table: string, column: string): boolean {
  return changes.some(
    (change) =>
      (change.kind === 'convert-column' && change.table.name === table && change.column.name === column) ||
      (change.kind === 'rename-text' && change.table.name === table && change.text.column === column),
  )
}

/** How many rows or values the plan said would go; undefined where it said nothing of it. */
function announcedLoss(
  { changes, rows, hidden }: Migration,
  table: string,
  column: string | undefined,
  destructive: 'refuse' | 'apply',
): number | undefined {
  if (destructive === 'refuse') return undefined
  const index = changes.findIndex((change) =>
    column === undefined
      ? change.kind === 'hide-table' && change.table.name === table
      : change.kind === 'hide-column' && change.table.name === table && change.column.name === column,
  )
  const earlier = hidden.find((one) => one.table === table && one.column === column)
  return index >= 0 ? rows[index] : earlier?.rows
}
