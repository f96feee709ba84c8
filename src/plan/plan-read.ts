// Turns params into a Query: resolves names, casts values and checks limits.

import { ApiError } from '../lib/errors/api-error.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { Access, ReadAction } from '../model/access.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import { planFilter } from './conditions/plan-filter.ts'
import { getRule, planSeenDrafts, planWriteRule } from './conditions/plan-visibility.ts'
import { planLocales, planPopulate } from './expand-populate.ts'
import type { Params } from './params.ts'
import { planAfter } from './plan-after.ts'
import { planColumns } from './plan-columns.ts'
import { getOffset, getReadLimit, type PageLimits, planPage } from './plan-page.ts'
import { planPublicationFilter } from './plan-publication-filter.ts'
import { assertHighlights, byRelevance, planSearch, planSought } from './plan-search.ts'
import { byId, planSort } from './plan-sort.ts'
import { joined, planLocaleCondition, stateCondition } from './plan-state.ts'
import { type PlanContext, slot, startPlanning } from './planning.ts'
import type { Condition, Page, Query, ReadPlan } from './read-plan.ts'

/** Plans one page of a list; the whole list without limits and a requested page. */
export function planFind(type: ContentType, params: Params, access: Access, limits?: PageLimits): Query {
  const planning = startPlanning(access, type, params.publicationState ?? 'live')
  const page = planPage(params.pagination, limits)
  const conditions = listConditions(planning, type, params, 'find')
  const { sort, highlights } = planFound(planning, type, params)
  const plan: ReadPlan = {
    ...planShown(planning, type, params, 'find'),
    condition: joined(conditions),
    sort,
    ...(highlights !== undefined && { highlights }),
    ...(params.pagination?.kind === 'after' && {
      keyset: planAfter(planning, type, params, sort, params.pagination.after),
    }),
    limit: slot(planning, getReadLimit(page)),
    offset: slot(planning, getOffset(page)),
  }
  return { plan, page, values: planning.values }
}

/** The order of a list, and the terms of its search if they are marked. */
function planFound(
  planning: PlanContext,
  type: ContentType,
  params: Params,
): Pick<ReadPlan, 'sort' | 'highlights'> {
  const { search, sort, pagination, highlights = false } = params
  if (highlights) assertHighlights(type)
  // A cursor compares attributes, so its lists keep their order.
  const isRanked = sort === undefined && pagination?.kind !== 'after'
  const isUsed = search !== undefined && (isRanked || highlights)
  const sought = isUsed ? planSought(planning, type, search) : undefined
  return {
    sort: [
      ...(isRanked && sought !== undefined ? [byRelevance(type, sought)] : []),
      ...(sort === undefined ? [byId(type)] : planSort(planning, type, sort)),
    ],
    ...(highlights && sought !== undefined && { highlights: sought }),
  }
}

export function withPage({ plan, values }: Query, page: Page): Query {
  const { limit, offset } = plan
  invariant(limit !== undefined && offset !== undefined, 'its pages have numbers')
  const changed = values.slice()
  changed[limit] = getReadLimit(page)
  changed[offset] = getOffset(page)
  return { plan, page, values: changed }
}

/**
 * Plans one entry by id, or several by a list of ids, which is in slot 0. `publicationState` applies to populated fields; the entry itself may be a draft
 * unless `hideDrafts` is set. Without `ruled`, rules are skipped, because the caller wrote the entry. Filters
 * and sort are checked and otherwise ignored.
 */
export function planFindOne(
  type: ContentType,
  id: number | readonly number[],
  params: Params,
  access: Access,
  hideDrafts: boolean,
  ruled = true,
): Query {
  checkUnused(type, params, access)
  const planning = startPlanning(access, type, params.publicationState ?? 'live')
  const byThisId = idCondition(planning, type, id)
  const plan: ReadPlan = {
    ...planShown(planning, type, params, 'findOne'),
    condition: joined([
      byThisId,
      hideDrafts ? (planSeenDrafts(planning, type) ?? stateCondition(planning, type, 'live')) : undefined,
      ruled ? getRule(planning, type, 'findOne') : undefined,
    ]),
    sort: [],
    limit: undefined,
    offset: undefined,
  }
  return { plan, page: undefined, values: planning.values }
}

/** Plans one document in the version and locale of the params. Its documentId is in slot 0. */
export function planFindDocument(type: ContentType, params: Params, access: Access): Query {
  const planning = startPlanning(access, type, params.publicationState ?? 'live')
  if (params.sort !== undefined) planSort(startPlanning(access, type), type, params.sort)
  const byThisId = planFilter(planning, type, { documentId: '' })
  const conditions = [byThisId, ...listConditions(planning, type, params, 'findOne')]
  const plan: ReadPlan = {
    ...planShown(planning, type, params, 'findOne'),
    condition: joined(conditions),
    sort: [byId(type)],
    limit: undefined,
    offset: undefined,
  }
  return { plan, page: undefined, values: planning.values }
}

/** The conditions that select the entries of a list, apart from its page. */
export function listConditions(
  planning: PlanContext,
  type: ContentType,
  params: Params,
  action: ReadAction,
): readonly (Condition | undefined)[] {
  const { filters, own, search, locale, selectedFor } = params
  const state = params.publicationState ?? 'live'
  return [
    stateCondition(planning, type, state),
    ...(selectedFor === undefined
      ? [state !== 'live' ? planSeenDrafts(planning, type) : undefined, getRule(planning, type, action)]
      : [planWriteRule(planning, type, selectedFor)]),
    planLocaleCondition(planning, type, locale),
    filters === undefined ? undefined : planFilter(planning, type, filters),
    own === undefined ? undefined : planFilter({ ...planning, access: own.access }, type, own.filters),
    search === undefined ? undefined : planSearch(planning, type, search),
    ...planPublicationFilter(planning, type, params, state),
  ]
}

function checkUnused(type: ContentType, params: Params, access: Access): void {
  const planning = startPlanning(access, type, params.publicationState ?? 'live')
  if (params.filters !== undefined) planFilter(planning, type, params.filters)
  if (params.sort !== undefined) planSort(planning, type, params.sort)
}

function planShown(
  planning: PlanContext,
  schema: ContentType,
  params: Params,
  action: ReadAction,
): Omit<ReadPlan, 'condition' | 'sort' | 'limit' | 'offset'> {
  const state = params.publicationState ?? 'live'
  const readable = planning.access.readable(schema, action)
  planning.ignoresUnknown = params.ignoresUnknown ?? false
  return {
    schema,
    ...planColumns(planning, schema, params.fields, readable),
    ...(planning.access.seesPrivate === true && { seesPrivate: true }),
    ...(params.withVersion === true && { revision: schema.revision.number }),
    ...(params.populate === undefined
      ? { populate: [] }
      : planPopulate(planning, schema, params.populate, state, readable)),
    locales: params.withLocales === true ? planLocales(planning, schema, state) : undefined,
  }
}

function idCondition(planning: PlanContext, schema: Schema, id: number | readonly number[]): Condition {
  const condition = planFilter(planning, schema, { id: typeof id === 'number' ? id : { $in: id } })
  if (condition === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return condition
}
