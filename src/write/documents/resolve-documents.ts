// Replaces references to documents by row ids, in the entry's locale: drafts for documents with versions.

import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isToMany, type MediaAttribute, type RelationAttribute } from '../../model/attribute.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { isLoose } from '../../plan/write/plan-links.ts'
import { findNamedType, namesType } from '../../plan/write/plan-morph.ts'
import type { Work } from '../../storage/database.ts'
import { mapToVersion, readRowsOfDocuments, readRowsWithIds } from '../document-rows.ts'
import type { Storage } from '../storage.ts'

type Data = Readonly<Record<string, unknown>>

export interface ReferenceContext {
  readonly storage: Storage
  readonly locale: string | null
}

/** Throws ValidationError for an unknown documentId. */
export function* resolveReferences(referring: ReferenceContext, schema: Schema, data: Data): Work<Data> {
  const resolved: Record<string, unknown> = { ...data }
  for (const [name, value] of Object.entries(data)) {
    const attribute = schema.attributes.get(name)
    if (attribute === undefined || value === undefined) continue
    switch (attribute.kind) {
      case 'scalar':
        break
      case 'component':
        resolved[name] = yield* inComponents(referring, value, () => attribute.component)
        break
      case 'dynamiczone':
        resolved[name] = yield* inComponents(referring, value, (element) =>
          attribute.components.find(({ uid }) => uid === element['__component']),
        )
        break
      case 'media':
        resolved[name] = yield* ofValue(referring, attribute, attribute.target, value)
        break
      case 'relation':
        resolved[name] =
          attribute.target === undefined
            ? yield* ofMorph(referring, attribute, value)
            : yield* ofValue(referring, attribute, attribute.target, value)
    }
  }
  return resolved
}

function* inComponents(
  referring: ReferenceContext,
  value: unknown,
  getComponent: (element: Data) => Schema | undefined,
): Work<unknown> {
  if (Array.isArray(value)) {
    const elements: unknown[] = []
    for (const element of value) elements.push(yield* inComponents(referring, element, getComponent))
    return elements
  }
  if (!isRecord(value)) return value
  const component = getComponent(value)
  return component === undefined ? value : yield* resolveReferences(referring, component, value)
}

const LISTS = ['set', 'connect', 'disconnect'] as const

function* ofValue(
  referring: ReferenceContext,
  attribute: RelationAttribute | MediaAttribute,
  target: ContentType,
  value: unknown,
): Work<unknown> {
  const many = isToMany(attribute)
  const one = (element: unknown): Work<unknown> => ofElement(referring, target, element)
  if (Array.isArray(value)) return yield* ofList(value, one)
  if (!isRecord(value) || isReference(value)) return value === null ? null : yield* ofList([value], one)
  const resolved: Record<string, unknown> = { ...value }
  for (const key of LISTS) {
    const given = value[key]
    if (given === undefined || given === null) continue
    const list: readonly unknown[] = Array.isArray(given) ? given : [given]
    // A relation to one takes the first of several connected entries.
    const taken = key === 'connect' && !many ? list.slice(0, 1) : list
    resolved[key] = yield* ofList(
      taken,
      key === 'connect' ? (each) => ofConnection(referring, target, each, isLoose(value)) : one,
    )
  }
  return resolved
}

function* ofList(list: readonly unknown[], one: (element: unknown) => Work<unknown>): Work<unknown[]> {
  const resolved: unknown[] = []
  for (const element of list) resolved.push(yield* one(element))
  return resolved
}

function isReference(value: Data): boolean {
  return 'id' in value || 'documentId' in value
}

const DIGITS = /^\d{1,16}$/

/** An element without a valid id stays, for the planner to report. */
function* ofElement(referring: ReferenceContext, target: ContentType, element: unknown): Work<unknown> {
  if (isRecord(element)) {
    const { documentId, id, locale } = element
    if (typeof documentId === 'string') return yield* ofDocumentId(referring, target, documentId, locale)
    return id === undefined ? element : yield* ofElement(referring, target, id)
  }
  if (typeof element === 'number' || (typeof element === 'string' && DIGITS.test(element)))
    return (yield* ofRowId(referring, target, Number(element))) ?? element
  // The planner refuses an empty id as it refuses null in a list.
  if (element === '') return null
  // A documentId begins with a letter, an id with a digit.
  if (typeof element !== 'string' || /^\d/.test(element)) return element
  return yield* ofDocumentId(referring, target, element, undefined)
}

function* ofConnection(
  referring: ReferenceContext,
  target: ContentType,
  element: unknown,
  loose: boolean,
): Work<unknown> {
  const id = yield* ofElement(referring, target, element)
  const position = isRecord(element) ? element['position'] : undefined
  if (!isRecord(position)) return isRecord(id) ? id : { id }
  return { id, position: yield* ofPosition(referring, target, position, loose) }
}

/** `loose`: a position beside a missing entry is left to the planner, which uses the end. */
function* ofPosition(
  referring: ReferenceContext,
  target: ContentType,
  position: Data,
  loose: boolean,
): Work<Data> {
  const placed: Record<string, unknown> = { ...position }
  for (const key of ['before', 'after']) {
    const beside = position[key]
    if (typeof beside !== 'string' && typeof beside !== 'number') continue
    const known = yield* ofElement(referring, target, beside)
    const isRow =
      typeof known === 'number' && (yield* readRowsWithIds(referring.storage, target, [known])).length > 0
    if (!isRow && !loose) throw unknownDocument(String(beside), localeFor(referring, target, undefined))
    placed[key] = known
  }
  return placed
}

function localeFor({ locale }: ReferenceContext, target: ContentType, named: unknown): string | null {
  if (target.locale === undefined) return null
  return locale ?? (typeof named === 'string' ? named : String(target.locale.default))
}

function* ofDocumentId(
  referring: ReferenceContext,
  target: ContentType,
  documentId: string,
  named: unknown,
): Work<number> {
  const locale = localeFor(referring, target, named)
  const rows = yield* readRowsOfDocuments(referring.storage, target, [documentId])
  const version = hasVersions(target) ? 'draft' : 'published'
  const row = rows.find((one) => one.locale === locale && one.version === version)
  if (row === undefined) throw unknownDocument(documentId, locale)
  return row.id
}

/** Any row of a document stands for its draft. */
function* ofRowId({ storage }: ReferenceContext, target: ContentType, id: number): Work<number | undefined> {
  if (!hasVersions(target) || !Number.isSafeInteger(id)) return undefined
  return (yield* mapToVersion(storage, target, [id], 'draft')).get(id)
}

function* ofMorph(referring: ReferenceContext, attribute: RelationAttribute, value: unknown): Work<unknown> {
  const one = function* (element: unknown): Work<unknown> {
    if (!isRecord(element)) return element
    const type = findNamedType(attribute, element)
    if (type === undefined) return element
    return { __type: type.uid, id: yield* ofElement(referring, type, element) }
  }
  const connection = function* (element: unknown): Work<unknown> {
    const known = yield* one(element)
    if (!isRecord(element) || !isRecord(known)) return known
    const { position } = element
    const beside = isRecord(position) && namesType(position) ? position : element
    const type = findNamedType(attribute, beside)
    if (!isRecord(position) || type === undefined) return { ...known, position }
    return {
      ...known,
      position: yield* ofPosition(referring, type, position, isRecord(value) && isLoose(value)),
    }
  }
  if (Array.isArray(value)) return yield* ofList(value, one)
  if (!isRecord(value)) return value
  if (isReference(value)) return yield* one(value)
  const resolved: Record<string, unknown> = { ...value }
  for (const key of LISTS) {
    const given = value[key]
    if (given === undefined || given === null) continue
    const list: readonly unknown[] = Array.isArray(given) ? given : [given]
    resolved[key] = yield* ofList(list, key === 'connect' ? connection : one)
  }
  return resolved
}

function unknownDocument(documentId: string, locale: string | null): ApiError {
  return new ApiError('ValidationError', `Document with id "${documentId}", locale "${locale}" not found`, {})
}
