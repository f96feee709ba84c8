// Chooses the statements of a list: some first query which indexes are useful, and look up ids of unique
// values.

import type { PlanValue, ReadPlan } from '../plan/read-plan.ts'
import { run, runAll, type Work } from '../storage/database.ts'
import { withFound } from '../storage/sql/compile-lookups.ts'
import { MAX_CANDIDATES, withoutIndexes } from '../storage/sql/compile-search.ts'
import { bindValues } from '../storage/sql/parameter.ts'
import type { ReadStatements } from '../storage/sql/read-statements.ts'

/** `compile` compiles the plan that omits some indexes. */
export function* chooseStatements(
  compiled: ReadStatements,
  values: readonly PlanValue[],
  compile: (plan: ReadPlan) => ReadStatements,
): Work<{ readonly statements: ReadStatements; readonly values: readonly PlanValue[] }> {
  const statements = yield* withUsefulIndexes(compiled, values, compile)
  const { lookups } = statements
  if (lookups.length === 0) return { statements, values }
  const found = yield* runAll(
    lookups.map(({ statement, parameters }) => ({ statement, values: bindValues(parameters, values, []) })),
  )
  const ids = found.map(([row]) => (row === undefined ? null : Number(row[0])))
  return { statements, values: withFound(values, lookups, ids) }
}

/** Omits indexes that would find too many entries for these values. */
function* withUsefulIndexes(
  statements: ReadStatements,
  values: readonly PlanValue[],
  compile: (plan: ReadPlan) => ReadStatements,
): Work<ReadStatements> {
  const { search, plan } = statements
  if (search === undefined) return statements
  const [counts = []] = yield* run(search.statement, bindValues(search.parameters, values, []))
  const common = search.comparisons.filter((_, at) => Number(counts[at]) > MAX_CANDIDATES)
  return common.length === 0 ? statements : compile(withoutIndexes(plan, new Set(common)))
}
