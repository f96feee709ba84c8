// Parses and checks the payload of a request to a document, `{ "data": … }`.

import { formatValue } from '../../attribute-types/shown-value.ts'
import { parseBody } from '../../http/body/parse-body.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { createInvalidKey, type Path } from '../../lib/errors/invalid-key.ts'
import { hideTexts, listTextsUnder } from '../../lib/hide-texts.ts'
import { isRecord } from '../../lib/is-record.ts'
import { everything } from '../../model/access.ts'
import type { Attribute } from '../../model/attribute.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { createSecretNames, listPayloadSchemas } from '../../model/secret-names.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import { findNearestAttribute, shorten } from '../../plan/write/unknown-attribute.ts'

type Data = Readonly<Record<string, unknown>>

/** Files are sent to the upload endpoint, not with a document. */
export async function withDocumentData<T>(
  request: HttpRequest,
  type: ContentType,
  write: (data: Data) => Promise<T>,
): Promise<T> {
  const body = await parseBody(request)
  const content = body.kind === 'value' ? body.value : undefined
  return write(checkDocumentData(type, isRecord(content) ? content['data'] : undefined))
}

/** Throws ValidationError. */
export function checkDocumentData(type: ContentType, data: unknown): Data {
  if (Array.isArray(data)) throw noObject(type, data)
  if (!isRecord(data)) throw new ApiError('ValidationError', 'Missing "data" payload in the request body')
  checkNames(type, data, [])
  return data
}

function noObject(type: ContentType, data: readonly unknown[]): ApiError {
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${formatValue(data)}\`).`
  const texts = listTextsUnder(data, createSecretNames(listPayloadSchemas(type)))
  return createValidationErrors([
    { path: [], message: hideTexts(message, texts), name: 'ValidationError', value: null },
  ])
}

/** Set by the request's path and query instead. */
const ELSEWHERE: ReadonlySet<string> = new Set(['locale', 'publishedAt'])
const OF_RUNTIME: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'localizations',
  'createdBy',
  'updatedBy',
])
const IDS: ReadonlySet<string> = new Set(['id', 'documentId'])

function checkNames(schema: Schema, data: Data, path: Path): void {
  const ofType = isContentType(schema)
  for (const [key, value] of Object.entries(data)) {
    const attribute = Object.hasOwn(data, key) ? schema.attributes.get(key) : undefined
    if (attribute?.writable && !isLocalizations(attribute)) {
      checkValue(attribute, value, [...path, key])
      continue
    }
    if (ofType && IDS.has(key))
      throw new ApiError('ValidationError', `Invalid key ${key}`, { key, source: 'body' })
    if (ofType && ELSEWHERE.has(key)) continue
    if (!ofType && (IDS.has(key) || key === '__component')) continue
    const isKnown = attribute !== undefined || (ofType && OF_RUNTIME.has(key))
    if (isKnown) throw createInvalidKey(key, [...path, key])
    throw createInvalidKey(key, path).because(() => ({ message: withoutAttribute(schema, key) }))
  }
}

function withoutAttribute(schema: Schema, key: string): string {
  const near = findNearestAttribute(everything, schema, key)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return `${schema.uid} has no attribute "${shorten(key)}"${hint}`
}

function isLocalizations(attribute: Attribute): boolean {
  return attribute.kind === 'relation' && attribute.sameDocument !== undefined
}

const LISTS: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options'])

function checkValue(attribute: Attribute, value: unknown, path: Path): void {
  const elements = Array.isArray(value) ? value : [value]
  switch (attribute.kind) {
    case 'scalar':
      return
    case 'component':
      for (const element of elements) if (isRecord(element)) checkNames(attribute.component, element, path)
      return
    case 'dynamiczone':
      for (const element of elements) {
        const uid = isRecord(element) ? element['__component'] : undefined
        const component = attribute.components.find((one) => one.uid === uid)
        if (isRecord(element) && component !== undefined) checkNames(component, element, path)
      }
      return
    case 'media':
      checkReference(undefined, value, path)
      return
    case 'relation':
      checkReference(attribute.target, value, path)
  }
}

/** `target`: its entries may be sent with all their attributes, as a response returned them. */
function checkReference(target: ContentType | undefined, value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const element of value) checkNamed(target, element, path)
    return
  }
  if (!isRecord(value) || 'id' in value || 'documentId' in value || '__type' in value) {
    checkNamed(target, value, path)
    return
  }
  for (const [key, list] of Object.entries(value)) {
    if (!LISTS.has(key) && (key !== CREATE || target === undefined)) throw createInvalidKey(key, path)
    if (key === 'options') continue
    for (const [index, element] of (Array.isArray(list) ? list : [list]).entries()) {
      if (key === CREATE) checkNew(target, element, [...path, key, String(index)])
      else if (isRecord(element) && CREATE in element) checkNew(target, element[CREATE], path)
      else checkMember(element, path)
    }
  }
}

/** Entries that are written with the document (`write/nested-entries.ts`). */
const CREATE = 'create'

function checkNew(target: ContentType | undefined, data: unknown, path: Path): void {
  if (target !== undefined && isRecord(data)) checkNames(target, data, path)
}

const OF_MEMBERS: ReadonlySet<string> = new Set([...IDS, ...ELSEWHERE, ...OF_RUNTIME, '__type', 'position'])

/** As in Strapi, values below `connect` and the like are checked only later. */
function checkNamed(target: ContentType | undefined, element: unknown, path: Path): void {
  if (isRecord(element) && CREATE in element) {
    checkNew(target, element[CREATE], path)
    return
  }
  checkMember(element, path)
  if (target === undefined || !isRecord(element)) return
  if (!('id' in element) && !('documentId' in element)) return
  const unknown = Object.keys(element).find((key) => !OF_MEMBERS.has(key) && !target.attributes.has(key))
  if (unknown !== undefined) throw createInvalidKey(unknown, path)
}

/** A related document follows the version that is written. */
function checkMember(element: unknown, path: Path): void {
  if (isRecord(element) && typeof element['status'] === 'string' && Object.keys(element).length <= 4)
    throw createInvalidKey('status', path)
}
