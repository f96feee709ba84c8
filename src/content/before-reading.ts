// What some lists need to know before they are read: which of their indexes are worth it, and the ids of unique values.

import { run, runAll, type Work } from '../databases/database.ts'
import type { PlanValue, ReadPlan } from '../plan/read-plan.ts'
import { withFound } from '../sql/compile-lookups.ts'
import { MOST_CANDIDATES, withoutIndexes } from '../sql/compile-search.ts'
import type { CompiledRead } from '../sql/compiled-read.ts'
import { bindValues } from '../sql/parameter.ts'

export interface ReadyRead {
  readonly chosen: CompiledRead
  readonly known: readonly PlanValue[]
}

/** `compiledFor` compiles the plan that does without some indexes. */
export function* readyToRead(
  statements: CompiledRead,
  values: readonly PlanValue[],
  compiledFor: (plan: ReadPlan) => CompiledRead,
): Work<ReadyRead> {
  const chosen = yield* withUsefulIndexes(statements, values, compiledFor)
  const { lookups } = chosen
  if (lookups.length === 0) return { chosen, known: values }
  const found = yield* runAll(
    lookups.map(({ statement, parameters }) => ({ statement, values: bindValues(parameters, values, []) })),
  )
  const ids = found.map(([row]) => (row === undefined ? null : Number(row[0])))
  return { chosen, known: withFound(values, lookups, ids) }
}

/** The same read without the indexes that would find too many entries for these values. */
function* withUsefulIndexes(
  statements: CompiledRead,
  values: readonly PlanValue[],
  compiledFor: (plan: ReadPlan) => CompiledRead,
): Work<CompiledRead> {
  const { search, plan } = statements
  if (search === undefined) return statements
  const [counts = []] = yield* run(search.statement, bindValues(search.parameters, values, []))
  const common = search.comparisons.filter((_, at) => Number(counts[at]) > MOST_CANDIDATES)
  return common.length === 0 ? statements : compiledFor(withoutIndexes(plan, new Set(common)))
}
