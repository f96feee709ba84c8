// Parses `populate`: names and dotted paths in text or lists, objects with options, and mixtures.

import { ApiError } from '../lib/errors/api-error.ts'
import type { DeepPopulate, PopulateInput, PopulateOptions } from '../plan/params.ts'
import { parseFields, parsePublicationState, parseSort } from './parse-level.ts'
import { parsePagination } from './parse-pagination.ts'
import { isQueryObject, type QueryValue } from './query-string.ts'

const YES: ReadonlySet<QueryValue> = new Set(['true', '1', 't', '*'])
const NO: ReadonlySet<QueryValue> = new Set(['false', '0', 'f', ''])

/** Merges the options of a field that appears in several spellings. */
interface Draft {
  readonly isLenient: boolean
  everything: boolean
  readonly populated: Map<string, DraftOptions>
}

interface DraftOptions {
  readonly options: { -readonly [K in keyof PopulateOptions]: PopulateOptions[K] }
  readonly below: Draft
}

/** `isLenient`: ignores unknown options, as in Strapi 4. */
export function parsePopulate(value: QueryValue, isLenient = false): PopulateInput {
  const draft = emptyDraft(isLenient)
  readValue(draft, value)
  return finished(draft)
}

function emptyDraft(isLenient: boolean): Draft {
  return { isLenient, everything: false, populated: new Map() }
}

function finished(draft: Draft): Exclude<PopulateInput, DeepPopulate> {
  if (draft.everything && draft.populated.size === 0) return '*'
  const populated = new Map<string, PopulateOptions>()
  if (draft.everything) populated.set('*', {})
  for (const [name, { options, below }] of draft.populated) {
    const nested = below.everything || below.populated.size > 0 ? { populate: finished(below) } : {}
    populated.set(name, { ...options, ...nested })
  }
  return populated
}

function readValue(draft: Draft, value: QueryValue): void {
  if (typeof value === 'string') readList(draft, value)
  else if (Array.isArray(value)) {
    // qs reads `populate=*&populate[author][fields]=name` as a list of both; a list of only objects is refused.
    const mixed = value.some((element) => typeof element === 'string')
    for (const element of value) {
      if (mixed && isQueryObject(element)) readValue(draft, element)
      else readElement(draft, element)
    }
  } else if (isQueryObject(value))
    for (const [name, options] of Object.entries(value)) {
      // `populate[0]=author&populate[cover]=true` mixes a list with names.
      if (/^\d+$/.test(name)) readElement(draft, options)
      else readPopulated(draft, name, options)
    }
  else throw invalid()
}

function readElement(draft: Draft, element: QueryValue): void {
  if (typeof element !== 'string') throw invalid()
  readList(draft, element)
}

function readList(draft: Draft, text: string): void {
  for (const part of text.split(',')) {
    const path = part.trim()
    if (path === '*') draft.everything = true
    else if (path !== '') getOptionsAt(draft, path)
  }
}

function getOptionsAt(draft: Draft, path: string): DraftOptions {
  let at = draft
  let field: DraftOptions | undefined
  for (const name of path.split('.')) {
    field = at.populated.get(name)
    if (field === undefined) {
      field = { options: {}, below: emptyDraft(draft.isLenient) }
      at.populated.set(name, field)
    }
    at = field.below
  }
  if (field === undefined) throw invalid()
  return field
}

function readPopulated(draft: Draft, name: string, value: QueryValue): void {
  if (name === '*') {
    draft.everything = true
    return
  }
  if (NO.has(value)) return
  if (value === null) throw invalid()
  const field = getOptionsAt(draft, name)
  // qs reads `populate[a]=true&populate[a][fields]=b` as a list of both.
  for (const element of Array.isArray(value) ? value : [value]) {
    if (YES.has(element)) continue
    if (isQueryObject(element)) readOptions(field, element)
    else readValue(field.below, element)
  }
}

function readOptions(field: DraftOptions, object: { readonly [key: string]: QueryValue }): void {
  const { options, below } = field
  for (const [key, value] of Object.entries(object)) {
    switch (key) {
      case 'fields':
        options.fields = parseFields(value)
        break
      case 'sort':
        options.sort = parseSort(value)
        break
      case 'filters':
        options.filters = value
        break
      case 'populate':
        if (value === 'true') below.everything = true
        else if (!NO.has(value)) readValue(below, value)
        break
      case 'publicationState':
        options.publicationState = parsePublicationState(value)
        break
      case 'pagination':
        Object.assign(options, getPage(value))
        break
      case 'count':
        options.count = YES.has(value)
        break
      case 'ordering':
        options.reversed = parseOrdering(value)
        break
      case 'start':
        options.start = wholeNumber(key, value)
        break
      case 'limit':
        options.limit = wholeNumber(key, value)
        break
      case 'on':
        options.on = parseOn(value, below.isLenient)
        break
      default:
        if (below.isLenient) break
        throw new ApiError(
          'ValidationError',
          `Invalid parameter ${key} in populate: use fields, filters, sort, populate, publicationState, pagination, start, limit, count, ordering or on`,
        )
    }
  }
}

const PAGE_SIZE = 25

function getPage(value: QueryValue): Pick<PopulateOptions, 'start' | 'limit'> {
  const asked = parsePagination(value)
  if (asked === undefined) return {}
  if (asked.kind === 'after')
    throw new ApiError(
      'ValidationError',
      'Invalid parameter pagination in populate: after goes with whole lists',
    )
  if (asked.kind === 'offset') {
    const { start, limit } = asked
    return { ...(start === undefined ? {} : { start }), ...(limit === undefined ? {} : { limit }) }
  }
  const limit = asked.pageSize ?? PAGE_SIZE
  return { start: (Math.max(1, asked.page ?? 1) - 1) * limit, limit }
}

function parseOrdering(value: QueryValue): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined
  if (word !== 'asc' && word !== 'desc') {
    throw new ApiError('ValidationError', 'Invalid parameter ordering in populate: expected asc or desc')
  }
  return word === 'desc'
}

function parseOn(value: QueryValue, isLenient: boolean): ReadonlyMap<string, PopulateOptions> {
  if (!isQueryObject(value)) {
    if (isLenient) return new Map()
    throw invalid()
  }
  const draft = emptyDraft(isLenient)
  const byUid = new Map<string, PopulateOptions>()
  for (const [uid, options] of Object.entries(value)) {
    if (NO.has(options)) continue
    const field = { options: {}, below: emptyDraft(draft.isLenient) }
    if (options === '*') field.below.everything = true
    else if (isQueryObject(options)) readOptions(field, options)
    else if (!YES.has(options)) throw invalid()
    draft.populated.set(uid, field)
  }
  const finishedOptions = finished(draft)
  if (finishedOptions !== '*') for (const [uid, options] of finishedOptions) byUid.set(uid, options)
  return byUid
}

function wholeNumber(key: string, value: QueryValue): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) {
    throw new ApiError('ValidationError', `Invalid parameter ${key} in populate: expected a whole number`)
  }
  return number
}

function invalid(): ApiError {
  return new ApiError(
    'ValidationError',
    'Invalid populate parameter. Expected a string, an array of strings, a populate object',
  )
}
