// Turns publicationState and locale into conditions; a draft has a null publishedAt.

import type { ContentType, Schema } from '../model/content-type.ts'
import { isNullCondition, planFilter } from './conditions/plan-filter.ts'
import { isContentType } from './find-attribute.ts'
import type { PublicationState } from './params.ts'
import type { PlanContext } from './planning.ts'
import type { Condition } from './read-plan.ts'

export function stateCondition(
  planning: PlanContext,
  schema: Schema,
  state: PublicationState,
): Condition | undefined {
  if (state === 'preview' || !isContentType(schema) || schema.publishedAt === undefined) return undefined
  return isNullCondition(planning, schema.publishedAt, state === 'draft')
}

/** The default locale unless others are named; `all` means every locale. */
export function planLocaleCondition(
  planning: PlanContext,
  type: ContentType,
  asked: unknown,
): Condition | undefined {
  const { locale } = type
  if (locale === undefined || asked === 'all') return undefined
  return planFilter(planning, type, { [locale.name]: asked === undefined ? locale.default : asked })
}

export function joined(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const present = conditions.filter((condition) => condition !== undefined)
  return present.length > 1 ? { kind: 'and', conditions: present } : present[0]
}
