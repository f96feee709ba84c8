// Compiles a ReadPlan into statements for the entries, their count, and each populated field.

import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../lib/errors/api-error.ts'
import { unreachable } from '../../lib/errors/invariant.ts'
import type { RelationAttribute } from '../../model/attribute.ts'
import { getFacts } from '../../plan/plan-facts.ts'
import { planLimits } from '../../plan/planning.ts'
import {
  listPopulated,
  looksAtItself,
  MAX_UNPAGED_ROWS,
  type PopulatePlan,
  type ReadPlan,
} from '../../plan/read-plan.ts'
import { getColumnType, type ModelLayout } from './build-layout.ts'
import { type Compilation, startCompilation } from './compilation.ts'
import { compileComputed } from './compile-computed.ts'
import { compileCondition, compileRestriction, compileSelection } from './compile-filter.ts'
import {
  joinMorphTables,
  joinPlacedTables,
  joinPopulatedTables,
  joinShowingTables,
  type PopulatedTables,
} from './compile-join.ts'
import { compileLookups } from './compile-lookups.ts'
import { compileSearch } from './compile-search.ts'
import { compileSort } from './compile-sort.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import { type BoundValue, bound, PARENTS, ROW_LIMIT } from './parameter.ts'
import type {
  BoundStatement,
  LevelStatements,
  PopulateStatements,
  ReadStatements,
} from './read-statements.ts'
import { MAX_STATEMENT_LENGTH, statement } from './statement.ts'

type Sql = RawBuilder<unknown>

type Finish = (text: Sql) => BoundStatement

export function compileRead(plan: ReadPlan, layout: ModelLayout, dialect: Dialect): ReadStatements {
  const compilation = startCompilation(dialect, layout, compileComputed, plan, getFacts(plan).relations)
  const compile = createCompiler(dialect)
  const finish: Finish = (text) => {
    const compiled = compile(text)
    if (compiled.text.length > MAX_STATEMENT_LENGTH) throw tooLong()
    const parameters = compiled.parameters as readonly BoundValue[]
    return { statement: statement(compiled.text, true), parameters }
  }
  const alias = compilation.alias()
  const from = sql`from ${sql.table(plan.schema.collectionName)} as ${sql.ref(alias)}`
  const { condition, lookups } = compileLookups(plan, layout, dialect)
  const selected =
    condition === undefined ? undefined : compileSelection(compilation, alias, plan.schema, condition)
  const where = selected === undefined ? sql`` : sql` where ${selected}`
  const behind = compileRestriction(compilation, alias, plan.keyset?.behind)
  const shownWhere =
    plan.condition === undefined && plan.keyset?.behind !== undefined
      ? sql` where 1 = 1${behind}`
      : sql`${where}${behind}`
  const sort = compileSort(compilation, alias, plan.sort)
  const order = plan.sort.length === 0 ? sql`` : sql` order by ${sort.keys}`
  const rows = sql`select ${columns(compilation, alias, plan)} ${from}${sort.joins}${shownWhere}${order}${getPage(plan, dialect)}`
  return {
    plan,
    rows: finish(rows),
    count: finish(sql`select count(*) ${from}${where}`),
    search: compileSearch(plan, layout, dialect),
    lookups,
    populate: compilePopulates(compilation, listPopulated(plan), finish),
  }
}

function tooLong(): ApiError {
  return new ApiError(
    'ValidationError',
    `The filters and sort of one list make a statement of more than ${MAX_STATEMENT_LENGTH} characters; send fewer conditions at once`,
  )
}

function compilePopulates(
  compilation: Compilation,
  populates: readonly PopulatePlan[],
  finish: Finish,
): readonly PopulateStatements[] {
  return populates.map((populate): PopulateStatements => {
    switch (populate.kind) {
      case 'relation':
      case 'component':
        return {
          populate,
          levels: [
            compileLevel(compilation, populate.plan, false, finish, (inner) =>
              joinPopulatedTables(compilation, populate.attribute, inner),
            ),
          ],
          present: undefined,
        }
      case 'zone': {
        const levels = populate.plans.map(({ component, plan }) =>
          compileLevel(compilation, plan, true, finish, (inner) =>
            joinPlacedTables(compilation, populate.attribute, component, inner),
          ),
        )
        return { populate, levels, present: undefined }
      }
      case 'morph': {
        const levels = populate.plans.map(({ type, through, plan }) =>
          compileLevel(compilation, plan, true, finish, (inner) =>
            through === undefined
              ? joinMorphTables(compilation, populate.attribute, type, inner)
              : joinShowingTables(compilation, through, type, inner),
          ),
        )
        const isStored = populate.attribute.shownBy === undefined
        const asks = isStored && populate.plans.some(({ plan }) => plan.condition === undefined)
        const present = asks ? finish(presentTypes(compilation, populate.attribute)) : undefined
        return { populate, levels, present }
      }
      default:
        return unreachable(populate)
    }
  })
}

function presentTypes(compilation: Compilation, attribute: RelationAttribute): Sql {
  const { dialect, layout } = compilation
  const sources = dialect.inList('id', sql.ref('source_id'), sql`${getParents(dialect)}`)
  return sql`select distinct ${sql.ref('target_type')} from ${sql.table(layout.getMorphs(attribute))} where ${sources}`
}

function getParents(dialect: Dialect): BoundValue {
  return { slot: PARENTS, encode: (value) => dialect.encodeList('id', value as readonly number[]) }
}

function compileLevel(
  compilation: Compilation,
  plan: ReadPlan,
  withPlace: boolean,
  finish: Finish,
  getTables: (inner: string) => PopulatedTables,
): LevelStatements {
  const { dialect } = compilation
  const inner = compilation.alias()
  const tables = getTables(inner)
  // SQLite would otherwise try each of the filter's 10,000 articles with 100 parents: a million lookups.
  compilation.populated = inner
  const condition =
    plan.condition === undefined ? sql`` : sql` and ${compileCondition(compilation, inner, plan.condition)}`
  const rest = sql`${tables.only}${condition}`
  const listed = dialect.inList('id', tables.parent, sql`${getParents(dialect)}`)
  const where = sql`${listed}${rest}`
  const place = withPlace ? sql`, ${tables.order ?? sql.lit(0)} as ${PLACE}` : sql``
  const sort = compileSort(compilation, inner, plan.sort)
  const from = sql`${tables.from}${sort.joins}`
  const order =
    plan.sort.length > 0
      ? sort.keys
      : tables.order === undefined
        ? tables.id
        : storedOrder(dialect, tables.order, tables.id, plan.reversed === true)
  const shown = columns(compilation, inner, plan)
  const selected = sql`${tables.parent} as ${PARENT}${place}, ${shown}`
  const all = sql`select ${selected} from ${from} where ${where} order by ${tables.parent}, ${order}`
  const most = sql` limit ${dialect.limit(sql`${bound(ROW_LIMIT, (value) => value as number)}`)}`
  const populate = compilePopulates(compilation, plan.populate, finish)
  if (plan.limit === undefined || plan.offset === undefined)
    return { plan, rows: finish(sql`${all}${most}`), few: undefined, page: undefined, populate }
  const pages = (page: Sql): Sql => {
    if (dialect.forEach === undefined) return sql`${all}${page}`
    const one = sql`${tables.parent} = ${EACH}`
    const each = plan.condition === undefined ? tables.from : (tables.lookedUp ?? tables.from)
    return dialect.forEach(
      sql`${getParents(dialect)}`,
      sql`select ${selected} from ${each}${sort.joins} where ${one}${rest} order by ${order}${page}`,
    )
  }
  const fewest = sql` limit ${sql.lit(MAX_UNPAGED_ROWS + 1)}`
  const row = compilation.alias()
  const numbered = sql`select ${tables.parent} as ${PARENT}${place}, ${sql.ref(`${inner}.id`)} as ${MEMBER}, row_number() over (partition by ${tables.parent} order by ${order}) as ${NUMBER} from ${from} where ${where}`
  const parts = sql`${PARENT}${withPlace ? sql`, ${PLACE}` : sql``}, ${columns(compilation, row, plan)}`
  const page = sql`(${numbered}) as ${sql.ref('page')} join ${sql.table(plan.schema.collectionName)} as ${sql.ref(row)} on ${sql.ref(`${row}.id`)} = ${MEMBER}`
  return {
    plan,
    rows: finish(
      sql`select ${parts} from ${page} where ${withinPage(dialect, plan.limit, plan.offset)} order by ${PARENT}, ${NUMBER}${most}`,
    ),
    page:
      looksAtItself(plan) && (dialect.readsEachParent || plan.sort.length === 0)
        ? { ...finish(pages(getPage(plan, dialect))), several: dialect.forEach !== undefined }
        : undefined,
    // In stored order, the first rows are found without reading the others; when sorted, all must be read.
    few:
      dialect.readsEachParent && plan.sort.length === 0 && looksAtItself(plan)
        ? finish(sql`${all}${fewest}`)
        : undefined,
    populate,
  }
}

function storedOrder(dialect: Dialect, order: Sql, id: Sql, reversed: boolean): Sql {
  return sql`${dialect.order(order, reversed, true)}, ${dialect.order(id, reversed, true)}`
}

/** Names that no column can have. */
const EACH = sql.ref('#each.id')
const PARENT = sql.ref('#parent')
const NUMBER = sql.ref('#number')
/** Columns are read by this id only for rows on the page. */
const MEMBER = sql.ref('#member')
const PLACE = sql.ref('member_place')

function withinPage(dialect: Dialect, limit: number, offset: number): Sql {
  const number = (slot: number): Sql => whole(dialect, slot)
  return sql`${NUMBER} > ${number(offset)} and (${number(limit)} < 0 or ${NUMBER} <= ${number(offset)} + ${number(limit)})`
}

function columns(compilation: Compilation, alias: string, plan: ReadPlan): Sql {
  const { dialect } = compilation
  const own = plan.locales === undefined ? plan.columns : [...plan.columns, plan.locales.own]
  const keyed = plan.keyset === undefined ? own : [...own, ...plan.keyset.attributes]
  const versioned = plan.revision === undefined ? keyed : [...keyed, plan.revision]
  const all = [...versioned, ...(plan.highlights?.attributes ?? [])]
  const selected = all.map((attribute) =>
    dialect.select(getColumnType(attribute), compilation.column(alias, attribute)),
  )
  return sql.join([sql.ref(`${alias}.id`), ...selected], sql`, `)
}

function getPage(plan: ReadPlan, dialect: Dialect): Sql {
  if (plan.limit === undefined || plan.offset === undefined) return sql``
  const size = sql`${bound(plan.limit, (value) => rowsOfPage(Number(value)))}`
  return sql` limit ${dialect.limit(size)} offset ${dialect.limit(sql`${bound(plan.offset, (value) => value as number)}`)}`
}

/** At most one row more than a response may have, which shows that there are too many. */
function rowsOfPage(size: number): number {
  return size < 0 || size > planLimits.rows ? planLimits.rows + 1 : size
}

function whole(dialect: Dialect, slot: number): Sql {
  return dialect.bind('integer', sql`${bound(slot, (value) => value as number)}`)
}
