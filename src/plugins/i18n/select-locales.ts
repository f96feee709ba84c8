// Filters, sorts and pages the file's locales for a GraphQL list without a table.

import type { ScalarValue } from '../../attribute-types/attribute-type.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { ScalarAttribute, Schema } from '../../model/attribute.ts'
import { createSystemAttribute } from '../../model/schema-drafts.ts'
import { evaluate } from '../../plan/conditions/condition-logic.ts'
import { planFilter } from '../../plan/conditions/plan-filter.ts'
import { parseSortText } from '../../plan/parse-sort-text.ts'
import { planSort } from '../../plan/plan-sort.ts'
import { startPlanning } from '../../plan/planning.ts'
import { parseFilters } from '../graphql-filters.ts'
import type { Locale } from './locale-routes.ts'

/** A locale has no relations, drafts or updates. */
const access = {
  visible: () => false,
  seesDrafts: () => false,
  findDraftRule: () => undefined,
  mayCreate: () => false,
  mayUpdate: () => false,
  findRule: () => undefined,
  readable: () => undefined,
  writeRule: () => undefined,
}

const schema: Schema = {
  uid: 'plugin::i18n.locale',
  displayName: 'Locale',
  collectionName: 'i18n_locale',
  id: createSystemAttribute('id', 'integer', 'id'),
  attributes: new Map(
    [
      createSystemAttribute('documentId', 'string', 'document_id'),
      createSystemAttribute('name', 'string', 'name'),
      createSystemAttribute('code', 'string', 'code'),
      createSystemAttribute('createdAt', 'datetime', 'created_at'),
      createSystemAttribute('updatedAt', 'datetime', 'updated_at'),
      createSystemAttribute('publishedAt', 'datetime', 'published_at'),
    ].map((attribute) => [attribute.name, attribute]),
  ),
}

interface SelectedLocales {
  readonly shown: readonly Locale[]
  readonly pagination: {
    readonly total: number
    readonly page: number
    readonly pageSize: number
    readonly pageCount: number
  }
}

/** The GraphQL schema has checked the arguments. Throws ValidationError and PaginationError. */
export function selectLocales(
  locales: readonly Locale[],
  { filters, sort, pagination }: Readonly<Record<string, unknown>>,
): SelectedLocales {
  const matching = sorted(filtered(locales, filters), sort)
  const { start, size } = getWindow(buildRecord(pagination), matching.length)
  const total = matching.length
  return {
    shown: matching.slice(start, start + size),
    pagination: {
      total,
      page: Math.floor(start / size) + 1,
      pageSize: size,
      pageCount: Math.ceil(total / size),
    },
  }
}

function filtered(locales: readonly Locale[], filters: unknown): readonly Locale[] {
  const planning = startPlanning(access)
  const condition = planFilter(planning, schema, parseFilters(schema, filters))
  if (condition === undefined) return locales
  return locales.filter(
    (locale) => evaluate(condition, planning.values, (of) => storedValue(locale, of)) === true,
  )
}

function storedValue(locale: Locale, { name, type }: ScalarAttribute): ScalarValue {
  const value = locale[name as keyof Locale] ?? null
  return type === 'datetime' ? Date.parse(String(value)) : value
}

function sorted(locales: readonly Locale[], sort: unknown): readonly Locale[] {
  const texts = getList(sort).filter((text) => typeof text === 'string')
  const keys = planSort(startPlanning(access), schema, texts.flatMap(parseSortText))
  return [...locales].sort((a, b) => {
    for (const { attribute, descending } of keys) {
      const [one, other] = [storedValue(a, attribute), storedValue(b, attribute)]
      if (one !== null && other !== null && one !== other)
        return (one < other ? -1 : 1) * (descending ? -1 : 1)
    }
    return 0
  })
}

/** Without a requested page, all locales: they are few. */
function getWindow(
  { page, pageSize, start, limit }: Readonly<Record<string, unknown>>,
  total: number,
): { readonly start: number; readonly size: number } {
  const byPage = isGiven(page) || isGiven(pageSize)
  if (byPage && (isGiven(start) || isGiven(limit)))
    throw new ApiError('PaginationError', 'Cannot use both page & offset pagination in the same query')
  const asked = byPage ? pageSize : limit
  const size = Math.max(1, isGiven(asked) && asked !== -1 ? Number(asked) : total)
  const from = byPage ? (Math.max(1, Number(page ?? 1)) - 1) * size : Math.max(0, Number(start ?? 0))
  return { start: from, size }
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

function getList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
