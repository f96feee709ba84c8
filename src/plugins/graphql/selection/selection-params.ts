// Translates a selection and its arguments into the params that a REST query becomes.

import { getArgumentValues } from 'graphql'
import type { Principal } from '../../../access/principal.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { buildRecord } from '../../../lib/is-record.ts'
import { isToMany } from '../../../model/attribute.ts'
import { getSchemaBehind } from '../../../model/attribute-targets.ts'
import type { Schema } from '../../../model/content-type.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import {
  type Params,
  type PopulateOptions,
  type PublicationFilter,
  publicationFilters,
  type SortInput,
} from '../../../plan/params.ts'
import { parseSortText } from '../../../plan/parse-sort-text.ts'
import { getOffset, getReadLimit, planPage } from '../../../plan/plan-page.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { parseFilters } from '../../graphql-filters.ts'
import { mayResolve, resolveFacts } from '../fields/field-facts.ts'
import type { FieldPlace, SelectionEnv } from './collect-fields.ts'
import { type GraphqlLimits, getPage } from './graphql-page.ts'
import type { SelectedField, SelectedLevel } from './select-entry.ts'
import { ownFilters, withServersRights } from './sent-arguments.ts'

export interface ReadEnv extends SelectionEnv {
  readonly principal: Principal
  readonly limits: GraphqlLimits
}

export function getEnv(
  { principal }: GraphqlContext,
  { fragments, variableValues, schema }: FieldPlace,
  limits: GraphqlLimits,
): ReadEnv {
  return { fragments, variableValues, schema, principal, limits }
}

/** Coerced by graphql-js. */
type ListArguments = Readonly<Record<string, unknown>>

const ONLY_ID = ['id']
const NO_LEVEL: SelectedLevel = { columns: ONLY_ID, populated: [], fixed: true }

export function buildLevelParams(
  level: SelectedLevel,
  env: ReadEnv,
): Pick<Params, 'fields' | 'populate' | 'withVersion' | 'highlights'> {
  const populate = new Map<string, PopulateOptions>()
  for (const field of level.populated) {
    // Without permission, the field is not read ahead: its resolver refuses it.
    if (!mayResolve(resolveFacts(field.field).auth, env.principal)) continue
    const args = getArgumentValues(field.field, field.node, env.variableValues)
    populate.set(field.key, buildFieldOptions(field, args, env))
  }
  const { columns } = level
  return {
    ...(columns === undefined ? {} : { fields: columns.length === 0 ? ONLY_ID : columns }),
    ...(populate.size === 0 ? {} : { populate }),
    ...(level.extras?.has('version') === true && { withVersion: true }),
    ...(level.extras?.has('highlights') === true && { highlights: true }),
  }
}

/** Wrong arguments cause an error of this field only. */
export function buildFieldOptions(
  { attribute, levels }: Pick<SelectedField, 'attribute' | 'levels'>,
  args: ListArguments,
  env: ReadEnv,
): PopulateOptions {
  const shared = { attribute: attribute.name, authorized: true, keepsFault: true }
  if (attribute.kind === 'dynamiczone') {
    const on = attribute.components.map((component) => {
      const level = levels.get(nameOfComponent(component)) ?? NO_LEVEL
      return [component.uid, buildLevelParams(level, env)] as const
    })
    return { ...shared, on: new Map(on) }
  }
  if (attribute.kind === 'relation' && attribute.target === undefined) {
    const on = attribute.targets.map((type) => {
      const level = levels.get(nameOfType(type)) ?? NO_LEVEL
      return [type.uid as string, buildLevelParams(level, env)] as const
    })
    return { ...shared, on: new Map(on) }
  }
  const [level = NO_LEVEL] = levels.values()
  const schema = getSchemaBehind(attribute)
  const many = schema !== undefined && isToMany(attribute)
  return {
    ...shared,
    ...buildLevelParams(level, env),
    ...(isOtherLocales(attribute) ? BY_ID : {}),
    ...(many ? listOptionsOrFault(schema, args, env.limits) : {}),
  }
}

const BY_ID = { sort: [{ path: ['id'], descending: false }] }

function isOtherLocales(attribute: SelectedField['attribute']): boolean {
  return attribute.kind === 'relation' && attribute.sameDocument !== undefined
}

function listOptionsOrFault(schema: Schema, args: ListArguments, limits: GraphqlLimits): PopulateOptions {
  try {
    return listOptions(schema, args, limits)
  } catch (error) {
    if (error instanceof ApiError) return { fault: error }
    throw error
  }
}

/** Each parent has its own page. */
function listOptions(schema: Schema, args: ListArguments, limits: GraphqlLimits): PopulateOptions {
  const page = getPage(args)
  const sort = getSort(args['sort'])
  return {
    ...(isEmpty(args['filters']) ? {} : { filters: parseFilters(schema, args['filters']) }),
    ...(sort === undefined ? {} : { sort }),
    ...(args['publicationState'] === undefined
      ? {}
      : { publicationState: getState(args['publicationState']) }),
    ...getWindow(page, limits),
  }
}

export function buildListParams(schema: Schema, args: ListArguments): Params {
  const pagination = getPage(args)
  const sort = getSort(args['sort'])
  const { search } = args
  const split = ownFilters(args)
  const sent = split === undefined ? args['filters'] : split.sent
  return {
    ...(isEmpty(sent) ? {} : { filters: parseFilters(schema, sent) }),
    ...(split === undefined ? {} : withServersRights(parseFilters(schema, split.own))),
    ...(sort === undefined ? {} : { sort }),
    ...(pagination === undefined ? {} : { pagination }),
    ...stateAndLocale(args),
    ...localeOfFilters(schema, args),
    ...(typeof search === 'string' && { search }),
  }
}

/** As over REST, a filter by locale finds documents in every locale. */
function localeOfFilters(schema: Schema, { locale, filters }: ListArguments): Pick<Params, 'locale'> {
  const isFiltered = isContentType(schema) && schema.document !== undefined && isEmpty(locale)
  return isFiltered && buildRecord(filters)['locale'] !== undefined ? { locale: 'all' } : {}
}

export function stateAndLocale(
  args: ListArguments,
): Pick<Params, 'publicationState' | 'locale' | 'publicationFilters'> {
  const { publicationState, status, locale } = args
  const asked = listPublicationFilters(args)
  return {
    ...(publicationState === undefined ? {} : { publicationState: getState(publicationState) }),
    ...(status === undefined ? {} : { publicationState: getVersion(status) }),
    ...(asked.length === 0 ? {} : { publicationFilters: asked }),
    ...(locale === undefined || locale === null ? {} : { locale: locale === EVERY_LOCALE ? 'all' : locale }),
  }
}

/** Both arguments may be combined. */
function listPublicationFilters({
  publicationFilter,
  hasPublishedVersion: has,
}: ListArguments): readonly PublicationFilter[] {
  const named = publicationFilters.find((one) => one === publicationFilter)
  const said = has === true ? 'has-published-version-document' : 'never-published-document'
  return [
    ...(named === undefined ? [] : [named]),
    ...(typeof has === 'boolean' ? [said as PublicationFilter] : []),
  ]
}

const EVERY_LOCALE = '*'

function getVersion(status: unknown): 'live' | 'draft' {
  return status === 'draft' ? 'draft' : 'live'
}

/** As in Strapi, `null` means `preview`, which includes drafts. */
function getState(value: unknown): 'live' | 'preview' {
  return value === 'live' ? 'live' : 'preview'
}

function getSort(value: unknown): readonly SortInput[] | undefined {
  const texts = Array.isArray(value) ? value : [value]
  const keys = texts.flatMap((text) => (typeof text === 'string' ? parseSortText(text) : []))
  return keys.length === 0 ? undefined : keys
}

function getWindow(
  pagination: ReturnType<typeof getPage>,
  limits: GraphqlLimits,
): Pick<PopulateOptions, 'start' | 'limit'> {
  const page = planPage(pagination, { ...limits, withCount: false })
  return { start: getOffset(page), limit: getReadLimit(page) }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null
}
