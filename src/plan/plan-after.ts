// Plans the entries after a cursor by comparing sort values, so that inserted and deleted entries do not
// shift the page.

import type { ScalarValue } from '../attribute-types/attribute-type.ts'
import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { castValue } from './cast-value.ts'
import { any, NEVER } from './conditions/condition-logic.ts'
import { isNullCondition } from './conditions/plan-filter.ts'
import { buildQueryMark, parseCursor, refusal } from './cursor.ts'
import { type Operator, operators } from './operators.ts'
import type { Params } from './params.ts'
import { joined } from './plan-state.ts'
import { type PlanContext, slot } from './planning.ts'
import type { Condition, Keyset, SortKey } from './read-plan.ts'

export function planAfter(
  planning: PlanContext,
  type: ContentType,
  params: Params,
  sort: readonly SortKey[],
  cursor: string,
): Keyset {
  // The id is unique, so later keys never decide.
  const keys = sort.slice(
    0,
    sort.findIndex((key) => key.through.length === 0 && key.attribute === type.id) + 1,
  )
  for (const { through, attribute, value } of keys) {
    const isComparable = attributeTypes[attribute.type].unique !== 'never' || attribute.name === 'id'
    if (through.length > 0 || value !== undefined || !isComparable)
      throw refusal('it goes with a sort by own attributes of the entries that can be compared')
  }
  const mark = buildQueryMark(type, params, sort)
  const attributes = keys.map(({ attribute }) => attribute)
  if (cursor === '') return { mark, attributes, behind: undefined }
  const values = parseCursor(cursor, mark, keys.length).map((value, at) =>
    castValue(attributes[at] as ScalarAttribute, value),
  )
  const steps = keys.map(({ attribute, descending }, at) =>
    planStep(planning, type, attribute, descending, values[at] ?? null),
  )
  const later = steps.map(({ behind }, at) => joined([...steps.slice(0, at).map(({ same }) => same), behind]))
  // Repeats the condition on the first key, because an index can search a range but not alternatives.
  return { mark, attributes, behind: joined([steps[0]?.from, any(later.filter((one) => one !== undefined))]) }
}

interface Step {
  readonly same: Condition
  readonly behind: Condition
  readonly from: Condition | undefined
}

/** Null comes first, and last when descending. */
function planStep(
  planning: PlanContext,
  type: ContentType,
  attribute: ScalarAttribute,
  descending: boolean,
  value: ScalarValue,
): Step {
  if (value === null) {
    const same = isNullCondition(planning, attribute, true)
    return descending
      ? { same, behind: NEVER, from: same }
      : { same, behind: isNullCondition(planning, attribute, false), from: undefined }
  }
  const at = slot(planning, value)
  const compare = (name: string): Condition => ({
    kind: 'compare',
    attribute,
    operator: operatorNamed(name),
    slots: [at],
  })
  const same = compare('$eq')
  if (!descending) return { same, behind: compare('$gt'), from: compare('$gte') }
  const smaller = compare('$lt')
  if (attribute === type.id || attribute === type.createdAt || attribute === type.updatedAt)
    return { same, behind: smaller, from: compare('$lte') }
  const conditions = [smaller, isNullCondition(planning, attribute, true)]
  return { same, behind: { kind: 'or', conditions }, from: undefined }
}

function operatorNamed(name: string): Operator {
  const operator = operators.get(name)
  if (operator === undefined) throw new TypeError(`the operator table lacks ${name}`)
  return operator
}
