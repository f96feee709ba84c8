// Random layouts of two tables and a relation, with rows: what a configuration may turn into another.

import fc from 'fast-check'
import type { PlanValue } from '../../../src/plan/read-plan.ts'
import type { ColumnType, Table } from '../../../src/storage/sql/layout.ts'
import { layout, links, table } from './migration-support.ts'

const storable: Readonly<Partial<Record<ColumnType, fc.Arbitrary<PlanValue>>>> = {
  text: fc.oneof(
    fc.constantFrom('', '1', '-7', '007', 'true', '1.50', '2024-01-02', '[]', 'x', '9007199254740993'),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  ),
  integer: fc.oneof(fc.constantFrom(0, 1), fc.maxSafeInteger()),
  biginteger: fc.oneof(
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  ),
  float: fc.oneof(
    fc.constantFrom(0, 1, 2.5),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  boolean: fc.boolean(),
  date: fc.constantFrom('2024-02-29', '1999-12-31'),
  datetime: fc.oneof(fc.constantFrom(0, 86_400_000), fc.integer({ min: -1e12, max: 4e12 })),
  json: fc.oneof(fc.constantFrom('1', 'true', '"x"'), fc.json()),
}

const types = Object.keys(storable) as ColumnType[]

const tables = (name: string) =>
  fc
    .record({
      x: fc.option(fc.constantFrom(...types), { nil: undefined }),
      y: fc.option(fc.constantFrom(...types), { nil: undefined }),
      unique: fc.boolean(),
    })
    .map(({ x, y, unique }) =>
      table(
        name,
        { ...(x !== undefined && { x }), ...(y !== undefined && { y }) },
        unique && x !== undefined ? ['x'] : [],
      ),
    )

const layouts = fc
  .record({
    a: tables('a'),
    b: fc.option(tables('b'), { nil: undefined }),
    linked: fc.boolean(),
    ordered: fc.boolean(),
  })
  .map(({ a, b, linked, ordered }) => {
    if (b === undefined) return layout(a)
    return linked ? layout(a, b, links('a', 'b', ordered)) : layout(a, b)
  })

/** Two layouts, and rows for the first. */
export const scenarios = fc.tuple(layouts, layouts).chain(([first, second]) => {
  const filled = [...first.tables.values()].filter(({ name }) => name !== 'links')
  const rowsOf = (into: Table) => {
    const values = Object.fromEntries(
      into.columns.flatMap(({ name, type }) => {
        const arbitrary = storable[type]
        return arbitrary === undefined ? [] : [[name, fc.option(arbitrary)]]
      }),
    )
    return fc
      .array(fc.record(values), { maxLength: 4 })
      .map((rows) => distinct(into, rows).map((row) => [into, row] as const))
  }
  return fc.tuple(...filled.map(rowsOf)).map((rows) => ({ first, second, rows: rows.flat() }))
})

/** Rows that the table's unique index takes, each with an id. */
function distinct(
  into: Table,
  rows: readonly Readonly<Record<string, PlanValue>>[],
): readonly Readonly<Record<string, PlanValue>>[] {
  const seen = new Set<unknown>()
  const unique = into.indexes[0]?.columns[0]
  return rows
    .filter((row) => {
      const value = unique === undefined ? undefined : row[unique]
      if (value === undefined || value === null) return true
      const fresh = !seen.has(value)
      seen.add(value)
      return fresh
    })
    .map((row, index) => ({ id: index + 1, ...row }))
}
