// Random models that follow each other, with renames among them, and rows for their tables.

import fc from 'fast-check'
import type { PlanValue } from '../../../src/plan/read-plan.ts'
import { type Database, run, UniqueViolation } from '../../../src/storage/database.ts'
import type { Layout } from '../../../src/storage/sql/layout.ts'
import { createMigrationStatements } from '../../../src/storage/sql/migrations/migration-statements.ts'
import {
  layoutTable,
  parseLayout,
  type StoredLayout,
  type StoredTable,
} from '../../../src/storage/sql/migrations/stored-layout.ts'
import { contentOf, insert } from './migration-support.ts'

const types = ['string', 'text', 'integer', 'boolean', 'json', 'date', 'float', 'biginteger'] as const
const typeNames = ['post', 'note', 'tag'] as const
const attributeNames = ['alpha', 'beta', 'gamma', 'delta'] as const

export const steps = fc.record({
  types: fc.uniqueArray(fc.constantFrom(...typeNames), { minLength: 1, maxLength: 2 }),
  attributes: fc.uniqueArray(fc.constantFrom(...attributeNames), { minLength: 1, maxLength: 3 }),
  kinds: fc.array(fc.constantFrom(...types), { minLength: 3, maxLength: 3 }),
  unique: fc.constantFrom(undefined, 0, 1),
  uniqueTogether: fc.boolean(),
  linked: fc.boolean(),
  placed: fc.boolean(),
  renamesType: fc.boolean(),
  renamesAttribute: fc.boolean(),
  destructive: fc.constantFrom('refuse', 'apply'),
  rows: fc.array(fc.constantFrom('1', '0', 'true', 'x', '[]', '2024-02-29'), { maxLength: 3 }),
})
export type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never

const plain = {
  unique: undefined,
  uniqueTogether: false,
  kinds: ['string', 'string', 'string'],
  linked: false,
  placed: false,
  renamesType: true,
  renamesAttribute: false,
  destructive: 'refuse',
  rows: [],
} as const satisfies Partial<Step>
/** A type and its attribute are renamed in one edit, while an empty hidden column has the attribute's new name. */
export const renamedTogether: Step[] = [
  { ...plain, types: ['post'], attributes: ['beta'], kinds: ['float', 'string', 'string'] },
  { ...plain, types: ['tag'], attributes: ['alpha'] },
  { ...plain, types: ['post'], attributes: ['beta'], renamesAttribute: true },
]
/** A type comes back, whose unique attribute has another type now. */
export const uniqueSetAside: Step[] = [
  { ...plain, types: ['post'], attributes: ['delta', 'alpha'], unique: 1, renamesType: false },
  { ...plain, types: ['tag'], attributes: ['alpha'], renamesType: false },
  {
    ...plain,
    types: ['post'],
    attributes: ['alpha'],
    kinds: ['float', 'string', 'string'],
    unique: 0,
    renamesType: false,
    destructive: 'apply',
  },
  { ...plain, types: ['post'], attributes: ['alpha'], renamesType: false },
]
/** An attribute gets the name of one that is hidden with its values and had another type. */
export const renamedOver: Step[] = [
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

/** A type goes back to its old name, whose hidden links lead to a type that is gone. */
export const linksSetAside: Step[] = [
  { ...plain, types: ['tag', 'post'], attributes: ['alpha'], linked: true, renamesType: false, rows: ['1'] },
  { ...plain, types: ['note'], attributes: ['alpha'], linked: true, rows: ['1'] },
  { ...plain, types: ['tag'], attributes: ['alpha'], linked: true },
]

export interface Names {
  readonly types: readonly string[]
  readonly attributes: readonly string[]
}

/** The first new name was the first one that is gone. */
function renameOf(now: readonly string[], before: readonly string[]): ReadonlyMap<string, string> {
  const gone = before.find((one) => !now.includes(one))
  const fresh = now.find((one) => !before.includes(one))
  return new Map(gone === undefined || fresh === undefined ? [] : [[fresh, gone]])
}

export function configOf(step: Step, previous: Names): { config: object; names: Names } {
  const renamedTypes = step.renamesType ? renameOf(step.types, previous.types) : new Map<string, string>()
  const renamed = step.renamesAttribute ? renameOf(step.attributes, previous.attributes) : new Map()
  const attributes = Object.fromEntries(
    step.attributes.map((name, index) => [
      name,
      {
        type: step.kinds[index] ?? 'string',
        ...(renamed.has(name) && { renamedFrom: renamed.get(name) }),
        ...(index === step.unique && step.kinds[index] !== 'json' && { unique: true }),
      },
    ]),
  )
  const [first = '', second = first] = step.types
  const contentTypes = Object.fromEntries(
    step.types.map((name) => [
      name,
      {
        ...(renamedTypes.has(name) && { renamedFrom: renamedTypes.get(name) }),
        ...(name === first &&
          step.linked &&
          step.uniqueTogether &&
          step.kinds[0] !== 'json' && { unique: [[step.attributes[0], 'related']] }),
        attributes: {
          ...attributes,
          ...(name === first &&
            step.linked && {
              related: {
                type: 'relation',
                relation: step.uniqueTogether ? 'manyToOne' : 'manyToMany',
                target: `api::${second}.${second}`,
              },
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

/** One value in every column for each of the texts, and a link where there is a table for it. */
export async function fill(database: Database, layout: Layout, texts: readonly string[]): Promise<void> {
  const stored = await storedLayout(database)
  for (const table of layout.tables.values()) {
    const real = stored?.tables.get(table.name) ?? table
    const { id: ids = [] } = await contentOf(database, real)
    let id = Math.max(0, ...ids.map(Number))
    if (table.columns.some(({ references }) => references !== undefined)) {
      const key = `${table.name}`.endsWith('_links') ? 'target_id' : 'component_id'
      const holder = table.columns.find(({ references }) => references !== undefined)?.references ?? ''
      const near = await contentOf(database, layout.tables.get(holder) ?? table)
      const sources = near['id'] ?? []
      if (ids.length > 0) continue
      const rest =
        key === 'target_id' ? { target_order: 1 } : { component_type: 'shared.part', field: 'part', place: 1 }
      const target = layout.tables.get(table.columns.find(({ name }) => name === key)?.references ?? '')
      const [far] = target === undefined ? [1] : ((await contentOf(database, target))['id'] ?? [])
      if (far === undefined) continue
      const columns = new Set(table.columns.map(({ name }) => name))
      for (const source of sources.slice(0, key === 'target_id' ? 2 : 1)) {
        id += 1
        const where = key === 'target_id' ? { source_id: Number(source) } : { entity_id: Number(source) }
        const row = { id, ...where, [key]: Number(far), ...rest }
        await insert(
          database,
          table,
          Object.fromEntries(Object.entries(row).filter(([one]) => columns.has(one))),
        )
      }
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
      await insert(database, table, { id, ...values }).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error
      })
    }
  }
}

async function storedLayout(database: Database): Promise<StoredLayout | undefined> {
  const [row] = await database.read(() => run(createMigrationStatements(database.dialect).readLayout(), []))
  return parseLayout(String(row?.[0]))
}

/** Every table that is there, hidden ones too: its rows, by table. */
export async function everything(database: Database): Promise<ReadonlyMap<string, Held>> {
  const held = new Map<string, Held>()
  const there = await database.read(() => run(createMigrationStatements(database.dialect).listColumns(), []))
  if (!there.some(([table]) => table === layoutTable.name)) return held
  for (const table of (await storedLayout(database))?.tables.values() ?? []) {
    held.set(table.name, { table, values: await contentOf(database, table) })
  }
  return held
}

export interface Held {
  readonly table: StoredTable
  readonly values: Readonly<Record<string, readonly unknown[]>>
}
