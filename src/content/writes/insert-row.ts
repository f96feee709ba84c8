// A new entry that is one row is one statement: it shows what the answer needs, and the indexes refuse unique values that
// are taken (decision 0325).

import { run, type Work } from '../../databases/database.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { PlanValue, ReadPlan } from '../../plan/read-plan.ts'
import type { WriteOutcome, WritePlan } from '../../plan/write/write-plan.ts'
import type { SqlValue } from '../../sql/statement.ts'
import type { BudgetPart } from '../rows/answer-budget.ts'
import { charactersOf, type EntryRow, entryOfRow } from '../rows/entry.ts'
import type { Storage } from '../storage.ts'

/** Whether the outcome has no fault, and the entry has nothing beside its row, nor any check but that of unique values. */
export function isRowAlone(
  storage: Storage,
  type: ContentType,
  { plan, faults, dateFault }: WriteOutcome,
): boolean {
  const { links, morphs, components, generated } = plan
  return (
    faults.length === 0 &&
    dateFault === undefined &&
    links.length + morphs.length + components.length + generated.length === 0 &&
    type.kind === 'collectionType' &&
    type.document === undefined &&
    type.checks.length === 0 &&
    storage.togetherOf(type).length === 0
  )
}

/** Whether the row itself is all that the answer shows. */
export function showsRowAlone({ columns, populate, locales }: ReadPlan): boolean {
  return (
    populate.length === 0 && locales === undefined && columns.every(({ computed }) => computed === undefined)
  )
}

/** Throws UniqueViolation, and what the budget throws of an answer that is too large, before anything is written. */
export function* insertRow(
  storage: Storage,
  { holder, values }: WritePlan,
  shown: readonly ScalarAttribute[],
  budget: BudgetPart,
): Work<EntryRow> {
  const { statements } = storage
  const columns: ScalarAttribute[] = []
  const bound: SqlValue[] = []
  for (const [attribute, value] of values) {
    columns.push(attribute)
    bound.push(statements.encode(attribute, value))
  }
  budget.again()
  budget.add(1, 1, charactersOf([null, ...shown.map((attribute) => shownValue(storage, values, attribute))]))
  const [row = []] = yield* run(statements.insertRow(holder, columns, shown), bound)
  return entryOfRow(row)
}

function shownValue(
  { statements }: Storage,
  values: ReadonlyMap<ScalarAttribute, PlanValue>,
  attribute: ScalarAttribute,
): SqlValue {
  const value = values.get(attribute)
  return value === undefined ? null : statements.encode(attribute, value)
}
