// Plans the attributes that the server sets in a write: createdAt, updatedAt, publishedAt, locale.

import { createDocumentId } from '../lib/document-id.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { parseDateTime } from '../lib/iso-date.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType, DocumentAttributes } from '../model/content-type.ts'
import { isLocale } from '../model/localizations.ts'
import { castId } from './cast-value.ts'
import type { PlanValue } from './read-plan.ts'

interface SystemOptions {
  readonly documentId?: string | undefined
  readonly mode: 'create' | 'update'
  readonly now: number
  /** Only seeds may set id, createdAt and updatedAt. */
  readonly trusted: boolean
}

export function planSystemValues(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  options: SystemOptions,
): ReadonlyMap<ScalarAttribute, PlanValue> {
  const values = new Map<ScalarAttribute, PlanValue>()
  if (options.mode === 'create') values.set(type.createdAt, options.now)
  values.set(type.updatedAt, options.now)
  const { publishedAt } = type
  if (publishedAt !== undefined && type.document === undefined) {
    const given = data[publishedAt.name]
    if (given !== undefined) values.set(publishedAt, moment(given))
    else if (options.mode === 'create') values.set(publishedAt, options.now)
  }
  if (type.document !== undefined) planDocument(values, type, type.document, data, options)
  if (type.locale !== undefined && options.mode === 'create') {
    values.set(type.locale, getLocale(type.locale, data[type.locale.name]))
  }
  if (options.trusted) {
    for (const attribute of [type.createdAt, type.updatedAt]) {
      const given = data[attribute.name]
      if (given !== undefined && given !== null) values.set(attribute, moment(given))
    }
    const id = castId(data['id'])
    if (id !== null && id > 0) values.set(type.id, id)
  }
  return values
}

function planDocument(
  values: Map<ScalarAttribute, PlanValue>,
  type: ContentType,
  { documentId, versions, stamp, stampKept }: DocumentAttributes,
  data: Readonly<Record<string, unknown>>,
  { mode, now, trusted, documentId: own }: SystemOptions,
): void {
  const given = trusted && data['documentId'] !== undefined ? String(data['documentId']) : own
  if (mode === 'create') values.set(documentId, given ?? createDocumentId())
  // A document begins as a draft; the published version is a copy of it.
  if (versions && mode === 'create' && type.publishedAt !== undefined) values.set(type.publishedAt, null)
  if (stamp === undefined || (stampKept && mode === 'update')) return
  const shown = trusted ? (data[stamp.name] ?? data[type.createdAt.name]) : undefined
  values.set(stamp, shown === undefined || shown === null ? now : moment(shown))
}

export function makesDraft(type: ContentType, data: Readonly<Record<string, unknown>>): boolean {
  if (type.publishedAt === undefined) return false
  return type.document?.versions === true || data[type.publishedAt.name] === null
}

/** The default locale unless the payload names another; an entry's locale never changes. */
function getLocale(attribute: ScalarAttribute, given: unknown): PlanValue {
  if (given === undefined || given === null) return String(attribute.default)
  if (isLocale(attribute, given)) return given
  throw new ApiError('ApplicationError', "This locale doesn't exist")
}

function moment(value: unknown): PlanValue {
  if (value === null) return null
  const parsed = parseDateTime(value instanceof Date ? value.getTime() : value)
  if ('fault' in parsed) throw new ApiError('ValidationError', parsed.fault)
  return parsed.value
}
