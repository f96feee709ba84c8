// Random models, one after the other over the same rows, with renames among them: no value is lost that the plan did
// not announce, and what it announces is what is lost. On every database.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { PlanValue } from '../../../src/plan/read-plan.ts'
import { contractDatabase } from '../../../src/storage/contract-database.ts'
import { type Database, run } from '../../../src/storage/database.ts'
import { applyMigration, type Migration, planMigration } from '../../../src/storage/migrate.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Layout } from '../../../src/storage/sql/layout.ts'
import { createMigrationStatements } from '../../../src/storage/sql/migrations/migration-statements.ts'
import {
  parseLayout,
  type StoredLayout,
  type StoredTable,
} from '../../../src/storage/sql/migrations/stored-layout.ts'
import { contentOf, insert } from './migration-support.ts'

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
        { numRuns, examples: [[renamedTogether], [renamedOver]] },
      ))
  })
}

const types = ['string', 'text', 'integer', 'boolean', 'json', 'date', 'float', 'biginteger'] as const
const typeNames = ['post', 'note', 'tag'] as const
const attributeNames = ['alpha', 'beta', 'gamma', 'delta'] as const

const steps = fc.record({
  types: fc.uniqueArray(fc.constantFrom(...typeNames), { minLength: 1, maxLength: 2 }),
  attributes: fc.uniqueArray(fc.constantFrom(...attributeNames), { minLength: 1, maxLength: 3 }),
  kinds: fc.array(fc.constantFrom(...types), { minLength: 3, maxLength: 3 }),
  linked: fc.boolean(),
  placed: fc.boolean(),
  renamesType: fc.boolean(),
  renamesAttribute: fc.boolean(),
  destructive: fc.constantFrom('refuse', 'apply'),
  rows: fc.array(fc.constantFrom('1', '0', 'true', 'x', '[]', '2024-02-29'), { maxLength: 3 }),
})
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never

const plain = {
  kinds: ['string', 'string', 'string'],
  linked: false,
  placed: false,
  renamesType: true,
  renamesAttribute: false,
  destructive: 'refuse',
  rows: [],
} as const satisfies Partial<Step>
/** A type and its attribute are renamed in one edit, while an empty hidden column has the attribute's new name. */
const renamedTogether: Step[] = [
  { ...plain, types: ['post'], attributes: ['beta'], kinds: ['float', 'string', 'string'] },
  { ...plain, types: ['tag'], attributes: ['alpha'] },
  { ...plain, types: ['post'], attributes: ['beta'], renamesAttribute: true },
]
/** An attribute gets the name of one that is hidden with its values and had another type. */
const renamedOver: Step[] = [
  { ...plain, types: ['post'], attributes: ['gamma', 'alpha'], rows: ['1'] },
  { ...plain, types: ['post'], attributes: ['alpha'] },
  {
    ...plain,
    types: ['post'],
    attributes: ['gamma'],
    kinds: ['biginteger', 'string', 'string'],
    renamesAttribute: true,
  },
]

interface Names {
  readonly types: readonly string[]
  readonly attributes: readonly string[]
}

/** The first new name was the first one that is gone. */
function renameOf(now: readonly string[], before: readonly string[]): ReadonlyMap<string, string> {
  const gone = before.find((one) => !now.includes(one))
  const fresh = now.find((one) => !before.includes(one))
  return new Map(gone === undefined || fresh === undefined ? [] : [[fresh, gone]])
}

function configOf(step: Step, previous: Names): { config: object; names: Names } {
  const renamedTypes = step.renamesType ? renameOf(step.types, previous.types) : new Map<string, string>()
  const renamed = step.renamesAttribute ? renameOf(step.attributes, previous.attributes) : new Map()
  const attributes = Object.fromEntries(
    step.attributes.map((name, index) => [
      name,
      { type: step.kinds[index] ?? 'string', ...(renamed.has(name) && { renamedFrom: renamed.get(name) }) },
    ]),
  )
  const [first = '', second = first] = step.types
  const contentTypes = Object.fromEntries(
    step.types.map((name) => [
      name,
      {
        ...(renamedTypes.has(name) && { renamedFrom: renamedTypes.get(name) }),
        attributes: {
          ...attributes,
          ...(name === first &&
            step.linked && {
              related: { type: 'relation', relation: 'manyToMany', target: `api::${second}.${second}` },
            }),
          ...(name === first &&
            step.placed && { part: { type: 'component', component: 'shared.part', repeatable: true } }),
        },
      },
    ]),
  )
  return {
    config: {
      plugins: { 'users-permissions': false, upload: false },
      components: { 'shared.part': { attributes: { label: 'string' } } },
      contentTypes,
    },
    names: { types: step.types, attributes: step.attributes },
  }
}

async function layoutOf(object: object): Promise<Layout> {
  const { model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return buildLayout(model)
}

/** One value in every column for each of the texts, and a link where there is a table for it. */
async function fill(database: Database, layout: Layout, texts: readonly string[]): Promise<void> {
  const stored = await storedLayout(database)
  for (const table of layout.tables.values()) {
    const real = stored?.tables.get(table.name) ?? table
    const { id: ids = [] } = await contentOf(database, real)
    let id = Math.max(0, ...ids.map(Number))
    if (table.columns.some(({ references }) => references !== undefined)) {
      const key = `${table.name}`.endsWith('_links') ? 'target_id' : 'component_id'
      const holder = table.columns.find(({ references }) => references !== undefined)?.references ?? ''
      const near = await contentOf(database, layout.tables.get(holder) ?? table)
      const [source] = near['id'] ?? []
      if (source === undefined || ids.length > 0) continue
      const where = key === 'target_id' ? { source_id: Number(source) } : { entity_id: Number(source) }
      const rest =
        key === 'target_id' ? { target_order: 1 } : { component_type: 'shared.part', field: 'part', place: 1 }
      const target = layout.tables.get(table.columns.find(({ name }) => name === key)?.references ?? '')
      const [far] = target === undefined ? [1] : ((await contentOf(database, target))['id'] ?? [])
      if (far === undefined) continue
      const row = { id: id + 1, ...where, [key]: Number(far), ...rest }
      const columns = new Set(table.columns.map(({ name }) => name))
      await insert(
        database,
        table,
        Object.fromEntries(Object.entries(row).filter(([one]) => columns.has(one))),
      )
      continue
    }
    for (const text of texts) {
      id += 1
      const values: Readonly<Record<string, PlanValue>> = Object.fromEntries(
        table.columns.flatMap(({ name, type }): [string, PlanValue][] => {
          if (type === 'text') return [[name, text]]
          if (type === 'date') return [[name, text === '2024-02-29' ? text : '1999-12-31']]
          if (type === 'json') return [[name, JSON.stringify(text)]]
          if (type === 'boolean') return [[name, text === 'true']]
          if (type === 'biginteger') return [[name, BigInt(text.length)]]
          return type === 'integer' || type === 'float' ? [[name, text.length]] : []
        }),
      )
      await insert(database, table, { id, ...values })
    }
  }
}

async function storedLayout(database: Database): Promise<StoredLayout | undefined> {
  const [row] = await database.read(() => run(createMigrationStatements(database.dialect).readLayout(), []))
  return parseLayout(String(row?.[0]))
}

/** Every table that is there, hidden ones too: its rows, by table. */
async function everything(database: Database): Promise<ReadonlyMap<string, Held>> {
  const held = new Map<string, Held>()
  const there = await database.read(() => run(createMigrationStatements(database.dialect).listColumns(), []))
  if (there.length === 0) return held
  for (const table of (await storedLayout(database))?.tables.values() ?? []) {
    held.set(table.name, { table, values: await contentOf(database, table) })
  }
  return held
}

interface Held {
  readonly table: StoredTable
  readonly values: Readonly<Record<string, readonly unknown[]>>
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
    // Something empty makes room for what was stored under the old name.
    if (plan.changes.some((change) => change.kind === 'rename-table' && change.table.name === name)) {
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
      if (kept === undefined) expect(announcedLoss(plan, now, place, destructive)).toBe(full.length)
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
