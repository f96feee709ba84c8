// Prepares reads of entries that violate a rule across attributes (`checks` of content-types).

import { everyPermission } from '../access/principal.ts'
import type { ContentType, EntryCheck } from '../model/content-type.ts'
import { getOperator } from '../plan/conditions/expression-path.ts'
import { planExpression } from '../plan/conditions/plan-expression.ts'
import { type PlanContext, slot, startPlanning } from '../plan/planning.ts'
import type { Condition, PlanValue, ReadPlan } from '../plan/read-plan.ts'
import { run, type Work } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { compileRead } from '../storage/sql/compile-read.ts'
import type { Dialect } from '../storage/sql/dialect.ts'
import { bindValues } from '../storage/sql/parameter.ts'
import type { BoundStatement } from '../storage/sql/read-statements.ts'

export interface BrokenRead {
  readonly check: EntryCheck
  readonly rows: BoundStatement
  /** The first value is replaced by the ids of the entries to check. */
  readonly values: readonly PlanValue[]
}

/** Prepares a content-type's reads when they are first needed. */
export function createBrokenReads(
  layout: ModelLayout,
  dialect: Dialect,
): (type: ContentType) => readonly BrokenRead[] {
  const prepared = new Map<ContentType, readonly BrokenRead[]>()
  return (type) => {
    let reads = prepared.get(type)
    if (reads === undefined) {
      reads = type.checks.map((check) => {
        const planning = startPlanning(everyPermission)
        const operator = getOperator('$in')
        const among = { kind: 'compare', attribute: type.id, operator, slots: [slot(planning, [])] } as const
        const condition: Condition = { kind: 'and', conditions: [among, isFalse(planning, type, check)] }
        const { rows } = compileRead(buildPlan(type, condition), layout, dialect)
        return { check, rows, values: planning.values }
      })
      prepared.set(type, reads)
    }
    return reads
  }
}

export function* countBroken(
  type: ContentType,
  check: EntryCheck,
  layout: ModelLayout,
  dialect: Dialect,
): Work<number> {
  const planning = startPlanning(everyPermission)
  const { count } = compileRead(buildPlan(type, isFalse(planning, type, check)), layout, dialect)
  const [row] = yield* run(count.statement, bindValues(count.parameters, planning.values, []))
  return Number(row?.[0])
}

function isFalse(planning: PlanContext, type: ContentType, { expression }: EntryCheck): Condition {
  const { range } = expression
  return planExpression(
    planning,
    type,
    { kind: 'not', operand: expression, type: { kind: 'bool' }, range },
    {},
  )
}

function buildPlan(schema: ContentType, condition: Condition): ReadPlan {
  return { schema, columns: [], condition, sort: [], limit: undefined, offset: undefined, populate: [] }
}
