// Compiles sort keys into ORDER BY. A relation to one becomes a subquery or a join, as the database prefers;
// a relation to many becomes one joined aggregate, because rows that share a related entry would each read
// everything behind it.

import { type RawBuilder, sql } from 'kysely'
import { InvariantError } from '../../lib/errors/invariant.ts'
import { isToMany } from '../../model/attribute.ts'
import type { SortKey } from '../../plan/read-plan.ts'
import { getColumnType } from './build-layout.ts'
import type { Compilation } from './compilation.ts'
import { compileCondition, compileRestriction } from './compile-filter.ts'
import { joinPopulatedTables } from './compile-join.ts'
import { compileValue } from './compile-value.ts'
import type { ColumnType } from './layout.ts'

type Sql = RawBuilder<unknown>

interface CompiledSort {
  readonly joins: Sql
  readonly keys: Sql
}

export function compileSort(compilation: Compilation, alias: string, keys: readonly SortKey[]): CompiledSort {
  const { joins, values } = compileSortValues(compilation, alias, keys)
  const compiled = Array.from(values, ([key, value]) => {
    const nullable = key.attribute.name !== 'id' || key.through.length > 0 || key.value !== undefined
    return compilation.dialect.order(value, key.descending, nullable)
  })
  return { joins, keys: sql.join(compiled, sql`, `) }
}

/** The values of the keys for each row, in the order of the keys. */
export function compileSortValues(
  compilation: Compilation,
  alias: string,
  keys: readonly SortKey[],
): { readonly joins: Sql; readonly values: ReadonlyMap<SortKey, Sql> } {
  const joins: Sql[] = []
  const values = new Map<SortKey, Sql>()
  for (const key of keys) {
    values.set(key, sortValue(compilation, alias, key, 0, createLeaf(compilation, key), joins))
  }
  return { joins: sql.join(joins, sql``), values }
}

function createLeaf(compilation: Compilation, { attribute, value, counts }: SortKey): Leaf {
  if (value === undefined)
    return {
      type: counts === true ? 'integer' : getColumnType(attribute),
      at: (row) => compilation.column(row, attribute),
    }
  return {
    type: value.kind === 'json' && value.as === 'text' ? 'text' : 'float',
    at: (row) => compileValue(compilation, row, value, compileCondition),
  }
}

/** A relation to many sorts by its smallest value (descending: the largest). */
function sortValue(
  compilation: Compilation,
  alias: string,
  key: SortKey,
  step: number,
  attribute: Leaf,
  joins: Sql[],
): Sql {
  const toMany = key.through.findIndex((field, index) => index >= step && isToMany(field))
  if (toMany === -1) return valueBehind(compilation, alias, key, key.through.slice(step), attribute, joins)
  const rowId = { type: 'id', at: (row: string): Sql => sql.ref(`${row}.id`) } as const
  const own = valueBehind(compilation, alias, key, key.through.slice(step, toMany), rowId, joins)
  const values = getAggregate(compilation, key, toMany, attribute)
  const found = compilation.alias()
  joins.push(sql` left join (${values}) as ${sql.ref(found)} on ${sql.ref(`${found}.parent`)} = ${own}`)
  const value = sql.ref(`${found}.value`)
  return key.counts === true ? sql`coalesce(${value}, 0)` : value
}

interface Leaf {
  readonly type: ColumnType
  at(alias: string): Sql
}

function getAggregate(compilation: Compilation, key: SortKey, step: number, leaf: Leaf): Sql {
  const inner = compilation.alias()
  const { tables, restricted } = linked(compilation, key, key.through[step], inner)
  const joins: Sql[] = []
  const value = sortValue(compilation, inner, key, step + 1, leaf, joins)
  const from = sql`${tables.from}${sql.join(joins, sql``)}`
  const counts = key.counts === true && step === key.through.length - 1
  const summed = counts ? sql`count(*)` : extreme(compilation, key, leaf, value)
  return sql`select ${tables.parent} as ${sql.ref('parent')}, ${summed} as ${sql.ref('value')} from ${from} where ${tables.parent} is not null${tables.only}${restricted} group by ${tables.parent}`
}

function valueBehind(
  compilation: Compilation,
  alias: string,
  key: SortKey,
  through: SortKey['through'],
  leaf: Leaf,
  joins: Sql[],
): Sql {
  if (!compilation.dialect.joinsToOne) return getExtreme(compilation, alias, key, through, leaf)
  let at = alias
  for (const [index, field] of through.entries()) {
    const inner = compilation.alias()
    const { tables, restricted } = linked(compilation, key, field, inner)
    // A component field or polymorphic relation may hold several rows: a join would repeat the sorted row.
    if (tables.order !== undefined) return getExtreme(compilation, at, key, through.slice(index), leaf)
    joins.push(
      sql` left join (${tables.from}) on ${tables.parent} = ${sql.ref(`${at}.id`)}${tables.only}${restricted}`,
    )
    at = inner
  }
  return leaf.at(at)
}

/** An aggregate, because a polymorphic relation may still link several rows. */
function getExtreme(
  compilation: Compilation,
  alias: string,
  key: SortKey,
  through: SortKey['through'],
  leaf: Leaf,
): Sql {
  const [field, ...others] = through
  if (field === undefined) return leaf.at(alias)
  const inner = compilation.alias()
  const { tables, restricted } = linked(compilation, key, field, inner)
  const value = getExtreme(compilation, inner, key, others, leaf)
  return sql`(select ${extreme(compilation, key, leaf, value)} from ${tables.from} where ${tables.parent} = ${sql.ref(`${alias}.id`)}${tables.only}${restricted})`
}

function linked(
  compilation: Compilation,
  key: SortKey,
  field: SortKey['through'][number] | undefined,
  inner: string,
) {
  if (field === undefined) throw new InvariantError('a sort key has this step')
  const restricted = compileRestriction(compilation, inner, key.only.get(field))
  return { tables: joinPopulatedTables(compilation, field, inner), restricted }
}

function extreme(compilation: Compilation, key: SortKey, leaf: Leaf, value: Sql): Sql {
  const comparable = compilation.dialect.extreme(leaf.type, value)
  return key.descending ? sql`max(${comparable})` : sql`min(${comparable})`
}
