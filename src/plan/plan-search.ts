// Turns `_q` into a condition on readable attributes, as text and as numbers. Private attributes are never
// searched.

import { buildTable } from '../attribute-types/attribute-types.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { buildComparison, planComparison } from './conditions/plan-comparison.ts'
import { getReadable } from './find-attribute.ts'
import { operators } from './operators.ts'
import { type PlanContext, planLimits, slot } from './planning.ts'
import type { Condition } from './read-plan.ts'

const searched = buildTable(({ search }) => search)

export function planSearch(planning: PlanContext, type: ContentType, search: string): Condition | undefined {
  if (search === '') return undefined
  if (search.length > planLimits.valueLength || search.includes('\0')) {
    throw new ApiError(
      'ValidationError',
      `_q must be at most ${planLimits.valueLength} characters without NUL`,
    )
  }
  const operator = operators.get('$containsi')
  if (operator === undefined) throw new TypeError('the operator table lacks $containsi')
  const isNumber = search.trim() !== '' && Number.isFinite(Number(search))
  const value = slot(planning, search)
  const columns: ScalarAttribute[] = isNumber ? [type.id] : []
  const readable = getReadable(planning, type)
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.private || !attribute.searchable) continue
    if (readable?.has(attribute.name) === false) continue
    const kind = searched[attribute.type]
    if (kind === 'text' || (kind === 'number' && isNumber)) columns.push(attribute)
  }
  const conditions = columns.map((attribute) =>
    buildComparison(planning, attribute, operator, [value], search),
  )
  const document = documentNamed(planning, type, search)
  return { kind: 'or', conditions: document === undefined ? conditions : [...conditions, document] }
}

function documentNamed(
  planning: PlanContext,
  { document }: ContentType,
  search: string,
): Condition | undefined {
  const operator = operators.get('$eq')
  if (document === undefined || operator === undefined || /\s/.test(search)) return undefined
  return planComparison(planning, document.documentId, operator, [search])
}
