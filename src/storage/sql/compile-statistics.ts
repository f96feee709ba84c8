// Counts the rows of a table and its links per entry: at most SAMPLE rows, beyond which the range of ids
// gives an estimate.

import { type RawBuilder, sql } from 'kysely'
import type { PopulatePlan } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import { type Statement, statement } from './statement.ts'

/** Counting this many rows takes about 5 ms in memory. */
export const MAX_SAMPLE_ROWS = 100_000

/** Returns the rows counted (SAMPLE + 1 means more), and the size of the range of ids. */
export function compileRowCount(table: string, dialect: Dialect): Statement {
  const { ref } = sql
  const some = sql`select 1 as ${ref('one')} from ${sql.table(table)} limit ${sql.lit(MAX_SAMPLE_ROWS + 1)}`
  return finish(sql`select (select count(*) from (${some}) as ${ref('some')}), ${span(table)}`, dialect)
}

/** Returns the links counted, the highest count per entry, and the size of the range of ids. */
export function compileFanOut(
  attribute: PopulatePlan['attribute'],
  layout: ModelLayout,
  dialect: Dialect,
): Statement {
  const { ref } = sql
  const { table, parent, only } = getLinks(attribute, layout)
  const where = only === undefined ? sql`` : sql` where ${only}`
  const some = sql`select ${ref(parent)} as ${ref('parent')} from ${sql.table(table)}${where} order by ${ref(parent)} limit ${sql.lit(MAX_SAMPLE_ROWS + 1)}`
  const each = sql`select count(*) as ${ref('links')} from (${some}) as ${ref('some')} group by ${ref('parent')}`
  return finish(
    sql`select coalesce(sum(${ref('links')}), 0), coalesce(max(${ref('links')}), 0), ${span(table)} from (${each}) as ${ref('each')}`,
    dialect,
  )
}

function getLinks(
  attribute: PopulatePlan['attribute'],
  layout: ModelLayout,
): { readonly table: string; readonly parent: string; readonly only: RawBuilder<unknown> | undefined } {
  if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') {
    const field = sql`${sql.ref('field')} = ${sql.lit(attribute.name)}`
    return { table: layout.getPlaces(attribute), parent: 'entity_id', only: field }
  }
  if (attribute.kind === 'relation' && attribute.target === undefined) {
    return { table: layout.getMorphs(attribute), parent: 'source_id', only: undefined }
  }
  const { table, ownColumn, type } = layout.getLinkTable(attribute)
  return {
    table,
    parent: ownColumn,
    only: type === undefined ? undefined : sql`${sql.ref('target_type')} = ${sql.lit(type)}`,
  }
}

/** Two queries: SQLite finds min or max alone in the index, but reads every row for both in one query. */
function span(table: string): RawBuilder<unknown> {
  const end = (which: 'min' | 'max'): RawBuilder<unknown> =>
    sql`(select ${sql.raw(which)}(${sql.ref('id')}) from ${sql.table(table)})`
  return sql`coalesce(${end('max')} - ${end('min')} + 1, 0)`
}

function finish(text: RawBuilder<unknown>, dialect: Dialect): Statement {
  return { ...statement(createCompiler(dialect)(text).text, true), short: true }
}
