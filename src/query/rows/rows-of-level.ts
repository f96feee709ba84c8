// Runs the statements of one populated depth: for all parents at once, by page, or in portions.

import { MAX_PAGED_PARENTS, MAX_UNPAGED_ROWS, type PlanValue } from '../../plan/read-plan.ts'
import { run, runAll, type Step, type Work } from '../../storage/database.ts'
import { bindValues } from '../../storage/sql/parameter.ts'
import type { BoundStatement, LevelStatements } from '../../storage/sql/read-statements.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'

/** `most`: with more rows, the response is refused. */
export function* readLevelRows(
  level: LevelStatements,
  values: readonly PlanValue[],
  ids: readonly number[],
  most: number,
): Work<readonly SqlRow[]> {
  return (
    (yield* areFew(level, values, ids)) ??
    (yield* pagesOfFew(level, values, ids, most)) ??
    (yield* inPortions(level, values, ids, most))
  )
}

export function buildStep(
  bound: BoundStatement,
  values: readonly PlanValue[],
  parents: readonly number[],
): Step {
  return { statement: bound.statement, values: bindValues(bound.parameters, values, parents) }
}

/** Cuts the pages here; undefined if there are too many entries, or no pages. */
function* areFew(
  level: LevelStatements,
  values: readonly PlanValue[],
  ids: readonly number[],
): Work<readonly SqlRow[] | undefined> {
  const { plan, few } = level
  if (few === undefined || plan.offset === undefined || plan.limit === undefined) return undefined
  const rows = yield* run(few.statement, bindValues(few.parameters, values, ids))
  if (rows.length > MAX_UNPAGED_ROWS) return undefined
  const start = Number(values[plan.offset])
  const limit = Number(values[plan.limit])
  const end = limit < 0 ? Number.POSITIVE_INFINITY : start + limit
  let parent: SqlRow[number] | undefined
  let number = 0
  return rows.filter((row) => {
    number = row[0] === parent ? number + 1 : 0
    parent = row[0]
    return number >= start && number < end
  })
}

/** The number of rows is checked between batches of this many pages. */
const BATCH_PAGES = 100

/** Reads the pages of few parents one by one, so that each statement reads only its own page. */
function* pagesOfFew(
  { page }: LevelStatements,
  values: readonly PlanValue[],
  ids: readonly number[],
  most: number,
): Work<readonly SqlRow[] | undefined> {
  if (page === undefined || ids.length > MAX_PAGED_PARENTS) return undefined
  const rows: SqlRow[] = []
  for (let start = 0; start < ids.length && rows.length <= most; start += BATCH_PAGES) {
    const some = ids.slice(start, start + BATCH_PAGES)
    const pages = page.several
      ? [yield* run(page.statement, bindValues(page.parameters, values, some))]
      : yield* runAll(some.map((id) => buildStep(page, values, [id])))
    for (const each of pages) rows.push(...each)
  }
  return rows
}

/** How many parents the first statement covers, and about how many rows each further statement should return. */
const FIRST_BATCH_PARENTS = 250
const BATCH_ROWS = 4000

/** Between the statements an embedded database serves other requests. */
function* inPortions(
  level: LevelStatements,
  values: readonly PlanValue[],
  ids: readonly number[],
  most: number,
): Work<readonly SqlRow[]> {
  const { statement, parameters } = level.rows
  const rows: SqlRow[] = []
  let portion = FIRST_BATCH_PARENTS
  for (let start = 0; start < ids.length && rows.length <= most; ) {
    const some = ids.length <= portion ? ids : ids.slice(start, start + portion)
    const left = most - rows.length + 1
    const found = yield* run(statement, bindValues(parameters, values, some, left))
    if (some.length === ids.length) return found
    for (const row of found) rows.push(row)
    start += some.length
    portion = Math.max(1, Math.ceil((BATCH_ROWS * start) / Math.max(1, rows.length)))
  }
  return rows
}
