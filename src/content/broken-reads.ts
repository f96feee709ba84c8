// Prepares the reads that find entries for which a rule across attributes (`checks` of content-types) is false.

import { everyPermission } from '../auth/principal.ts'
import type { ContentType, EntryCheck } from '../model/content-type.ts'
import { operatorNamed } from '../plan/expression-path.ts'
import { planExpression } from '../plan/plan-expression.ts'
import { slot, startPlanning } from '../plan/planning.ts'
import type { Condition, PlanValue } from '../plan/read-plan.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import { type BoundStatement, compileRead } from '../sql/compile-read.ts'
import type { Dialect } from '../sql/dialect.ts'

/** Reads the ids of entries for which a rule is false. */
export interface BrokenRead {
  readonly check: EntryCheck
  readonly rows: BoundStatement
  /** The first is replaced by the ids of the entries to check. */
  readonly values: readonly PlanValue[]
}

/** Prepares the reads of a content-type when they are first needed. */
export function createBrokenReads(
  layout: ModelLayout,
  dialect: Dialect,
): (type: ContentType) => readonly BrokenRead[] {
  const prepared = new Map<ContentType, readonly BrokenRead[]>()
  return (type) => {
    let reads = prepared.get(type)
    if (reads === undefined) {
      reads = type.checks.map((check) => prepare(type, check, layout, dialect))
      prepared.set(type, reads)
    }
    return reads
  }
}

function prepare(type: ContentType, check: EntryCheck, layout: ModelLayout, dialect: Dialect): BrokenRead {
  const planning = startPlanning(everyPermission)
  const { id } = type
  const among: Condition = {
    kind: 'compare',
    attribute: id,
    operator: operatorNamed('$in'),
    slots: [slot(planning, [])],
  }
  const { expression } = check
  const { range } = expression
  const opposite = { kind: 'not', operand: expression, type: { kind: 'bool' }, range } as const
  const condition: Condition = {
    kind: 'and',
    conditions: [among, planExpression(planning, type, opposite, {})],
  }
  const plan = {
    holder: type,
    columns: [],
    condition,
    sort: [],
    limit: undefined,
    offset: undefined,
    populate: [],
  }
  return { check, rows: compileRead(plan, layout, dialect).rows, values: planning.values }
}
