// Turns `populate` into plans of populated fields. Fields that the caller may not see are omitted silently,
// as in Strapi; an unknown name is a 400.

import { ApiError, createInvalidParameter } from '../lib/errors/api-error.ts'
import {
  type Attribute,
  type DynamicZoneAttribute,
  isToMany,
  type MediaAttribute,
  type RelationAttribute,
} from '../model/attribute.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import { getLocalizations } from '../model/localizations.ts'
import { planFilter } from './conditions/plan-filter.ts'
import { getRule, planSeenDrafts } from './conditions/plan-visibility.ts'
import { expandDeep } from './expand-deep.ts'
import { hidesDrafts, isContentType, isHidden } from './find-attribute.ts'
import { narrowOptions } from './narrow-options.ts'
import type { PopulateInput, PopulateOptions, PublicationState } from './params.ts'
import { planColumns } from './plan-columns.ts'
import { planSort } from './plan-sort.ts'
import { joined, stateCondition } from './plan-state.ts'
import { createTooMuch, ignoreName, type PlanContext, planLimits, slot, TooMuchError } from './planning.ts'
import type { LocalesPlan, PopulatedField, PopulatePlan, ReadPlan, RelatedPlan } from './read-plan.ts'
import { createUnusableName } from './unusable-name.ts'

const NOTHING_MORE: PopulateOptions = {}
const EVERYTHING: ReadonlyMap<string, PopulateOptions> = new Map([['*', NOTHING_MORE]])

export function planPopulate(
  planning: PlanContext,
  schema: Schema,
  input: PopulateInput,
  state: PublicationState,
  /** The attributes that the caller may read; undefined: all. */
  readable: ReadonlySet<string> | undefined,
  depth = 1,
): Pick<ReadPlan, 'populate' | 'faults'> {
  if (depth > planLimits.populateDepth) throw createTooMuch('levels of populate', planLimits.populateDepth)
  const deep = input !== '*' && 'levels' in input
  const named: ReadonlyMap<string, PopulateOptions> = input === '*' || deep ? EVERYTHING : input
  const asked = deep ? expandDeep(schema, input) : addEverything(schema, named)
  const getKeys = new Map<string, string[]>()
  for (const [key, options] of asked) {
    if (key === '*') continue
    const name = options.attribute ?? key
    const attribute = schema.attributes.get(name)
    if (attribute === undefined || attribute.kind === 'scalar') {
      if (ignoreName(planning, name, `populate of ${schema.uid}`)) continue
      throw createUnusableName(planning, schema, name, 'populate')
    }
    const keys = getKeys.get(name)
    if (keys === undefined) getKeys.set(name, [key])
    else keys.push(key)
  }
  const populate: PopulatePlan[] = []
  const faults = new Map<string, ApiError>()
  for (const attribute of schema.attributes.values()) {
    if (readable?.has(attribute.name) === false) continue
    for (const key of getKeys.get(attribute.name) ?? []) {
      const options = asked.get(key) ?? NOTHING_MORE
      if (isHidden(planning, attribute) && options.evenPrivate !== true) continue
      const plan = planOrFault(planning, options, () =>
        planPopulated(planning, attribute, options, state, depth),
      )
      if (plan instanceof ApiError) faults.set(key, plan)
      else if (plan !== undefined)
        populate.push({ ...plan, key, ...(attribute.private && !named.has(key) && { unlisted: true }) })
    }
  }
  return { populate, faults: faults.size === 0 ? undefined : faults }
}

function planOrFault<P>(planning: PlanContext, options: PopulateOptions, plan: () => P): P | ApiError {
  if (options.fault !== undefined) return options.fault
  const { length } = planning.values
  try {
    return plan()
  } catch (error) {
    // A limit of the whole query fails the query, not one field.
    if (options.keepsFault !== true || !(error instanceof ApiError) || error instanceof TooMuchError)
      throw error
    planning.values.length = length
    return error
  }
}

/** Undefined if the type has no locales, or the caller can see only the entry's own locale. */
export function planLocales(
  planning: PlanContext,
  type: ContentType,
  state: PublicationState,
): LocalesPlan | undefined {
  const attribute = getLocalizations(type)
  if (type.locale === undefined || attribute === undefined || !planning.access.visible(type)) return undefined
  const only: PopulateOptions = { fields: [type.locale.name] }
  const variants = planRelation(planning, attribute, type, only, state, 1)
  return { own: type.locale, variants: { key: attribute.name, ...variants } }
}

/** Puts every attribute in the place of `*`. */
function addEverything(
  schema: Schema,
  named: ReadonlyMap<string, PopulateOptions>,
): ReadonlyMap<string, PopulateOptions> {
  if (!named.has('*')) return named
  const populated = new Map<string, PopulateOptions>()
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'scalar') populated.set(attribute.name, NOTHING_MORE)
  }
  return new Map([...populated, ...named])
}

function planPopulated(
  planning: PlanContext,
  attribute: Attribute,
  options: PopulateOptions,
  inherited: PublicationState,
  depth: number,
): PopulatedField | undefined {
  planning.populateNodes += 1
  if (planning.populateNodes > planLimits.populateNodes) {
    throw createTooMuch('populated relations and components', planLimits.populateNodes)
  }
  const state = options.publicationState ?? inherited
  switch (attribute.kind) {
    case 'scalar':
      return undefined
    case 'relation': {
      const { target } = attribute
      if (target === undefined) return planMorph(planning, attribute, options, state, depth)
      const shown = attribute.populatable && planning.access.visible(target)
      if (options.authorized !== true && !shown) return undefined
      return planRelation(planning, attribute, target, options, state, depth)
    }
    case 'media': {
      return planRelation(planning, attribute, attribute.target, options, state, depth)
    }
    case 'component': {
      const plan = planNested(planning, attribute.component, options, state, depth)
      return { kind: 'component', attribute, many: attribute.repeatable, plan }
    }
    case 'dynamiczone':
      return planZone(planning, attribute, options, state, depth)
  }
}

function planRelation(
  planning: PlanContext,
  attribute: RelationAttribute | MediaAttribute,
  target: ContentType,
  options: PopulateOptions,
  state: PublicationState,
  depth: number,
): RelatedPlan {
  const many = isToMany(attribute)
  const count = many && options.count === true
  const { populate: _, ...alone } = options
  const plan = planNested(planning, target, count ? { ...alone, fields: ['id'] } : options, state, depth)
  return { kind: 'relation', attribute, many, count, plan }
}

/** Options of `on` by uid; throws ApiError for other uids, unless unknown names are ignored. */
function optionsByUid(
  planning: PlanContext,
  { name }: Attribute,
  { on }: PopulateOptions,
  populated: readonly { readonly uid: string }[],
): PopulateOptions['on'] {
  for (const uid of on?.keys() ?? []) {
    const isKnown = populated.some((field) => field.uid === uid)
    if (!isKnown && !ignoreName(planning, uid, `"on" of ${name}`)) throw createInvalidParameter(uid)
  }
  return on
}

function planZone(
  planning: PlanContext,
  attribute: DynamicZoneAttribute,
  options: PopulateOptions,
  state: PublicationState,
  depth: number,
): PopulatedField {
  const on = optionsByUid(planning, attribute, options, attribute.components)
  const getOptions = on === undefined ? narrowOptions(planning, attribute.components, options) : undefined
  const plans = attribute.components.flatMap((component) => {
    const own = getOptions?.(component) ?? on?.get(component.uid)
    return own === undefined ? [] : [{ component, plan: planNested(planning, component, own, state, depth) }]
  })
  return { kind: 'zone', attribute, plans }
}

function planMorph(
  planning: PlanContext,
  attribute: RelationAttribute,
  options: PopulateOptions,
  state: PublicationState,
  depth: number,
): PopulatedField {
  const on = optionsByUid(planning, attribute, options, attribute.targets)
  const targets =
    attribute.shownBy?.map(({ type, attribute: through }) => ({ type, through })) ??
    attribute.targets.map((type) => ({ type, through: undefined }))
  const seen = targets.filter(({ type }) => planning.access.visible(type))
  const types = seen.map(({ type }) => type)
  const getOptions = on === undefined ? narrowOptions(planning, types, options) : undefined
  const plans = seen.flatMap(({ type, through }) => {
    const own = getOptions?.(type) ?? on?.get(type.uid)
    if (own === undefined) return []
    return [{ type, through, plan: planNested(planning, type, own, state, depth) }]
  })
  return { kind: 'morph', attribute, many: attribute.cardinality === 'many', plans }
}

function planNested(
  planning: PlanContext,
  schema: Schema,
  options: PopulateOptions,
  state: PublicationState,
  depth: number,
): ReadPlan {
  const { populate } = options
  const readable = isContentType(schema) ? planning.access.readable(schema, 'find') : undefined
  const seen = seenState(planning, schema, options, state)
  const condition = joined([
    stateCondition(planning, schema, seen),
    seen !== 'live' ? planSeenDrafts(planning, schema) : undefined,
    getRule(planning, schema, 'find'),
    options.filters === undefined ? undefined : planFilter(planning, schema, options.filters),
  ])
  const paged = (options.limit ?? 0) > 0 || (options.start ?? 0) > 0
  return {
    schema,
    ...planColumns(planning, schema, options.fields, readable),
    ...(populate === undefined
      ? { populate: [] }
      : planPopulate(planning, schema, populate, state, readable, depth + 1)),
    condition,
    ...(options.withVersion === true && isContentType(schema) && { revision: schema.revision.number }),
    // Without a sort key, related entries keep their stored order.
    sort:
      options.sort === undefined || options.sort.length === 0 ? [] : planSort(planning, schema, options.sort),
    reversed: options.reversed === true,
    limit: paged
      ? slot(planning, options.limit !== undefined && options.limit > 0 ? options.limit : -1)
      : undefined,
    offset: paged ? slot(planning, Math.max(0, options.start ?? 0)) : undefined,
  }
}

/**
 * For a caller who may not see drafts, an inherited `preview` becomes `live`, but `preview` in these options
 * is refused.
 */
function seenState(
  planning: PlanContext,
  schema: Schema,
  options: PopulateOptions,
  state: PublicationState,
): PublicationState {
  if (state === 'live' || !hidesDrafts(planning, schema) || !isContentType(schema)) return state
  // The draft rule's condition then selects the visible drafts.
  if (planning.access.findDraftRule(schema) !== undefined) return state
  if (options.publicationState === 'preview') throw new ApiError('ForbiddenError', 'Forbidden')
  return 'live'
}
