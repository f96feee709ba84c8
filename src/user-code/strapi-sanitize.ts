// Removes from entries, payloads and queries of users' code what the caller of a request may not see or send, as Strapi's
// `sanitize` does.

import { everyPermission, type Permissions } from '../access/principal.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Attribute, Schema } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { isContentType, isSecret } from '../plan/find-attribute.ts'
import type { ParseListParams } from '../rest/parse-list-params.ts'
import { getRunningRequest } from '../rest/running-request.ts'
import { findCallerPermissions } from '../write/caller-state.ts'
import type { Content } from '../write/content.ts'

type Query = Readonly<Record<string, unknown>>

/** `caller`: `ctx`, or `ctx.state.auth`; without it only private attributes are left out, as in Strapi. */
export interface Sanitizers {
  /** `query`: as in a URL. Throws ValidationError for names that the caller may not ask for. */
  validateQuery(query: string, caller?: object): void
  /** Asks for drafts only if the caller may see them. */
  withoutDrafts(query: Query, caller?: object): Query
  sanitizeInput(data: unknown, caller?: object): unknown
  sanitizeOutput(data: unknown, caller?: object): unknown
}

/** Throws before there is content. */
export type GetQueryPlace = () => {
  readonly content: Pick<Content, 'prepareFind'>
  readonly parseListParams: ParseListParams
}

export function createSanitizers(type: ContentType, getPlace: GetQueryPlace): Sanitizers {
  return {
    validateQuery(query, caller) {
      const { content, parseListParams } = getPlace()
      const permissions = getCallerPermissions(caller)
      content.prepareFind(type, parseListParams(query, type, permissions), permissions)
    },
    withoutDrafts(query, caller) {
      if (getCallerPermissions(caller).seesDrafts(type)) return query
      const { publicationState: _, status: __, ...others } = query
      return others
    },
    sanitizeInput(data, caller) {
      const permissions = getCallerPermissions(caller)
      const clean = copyEntry(
        data,
        type,
        (attribute) => attribute.writable && isFound(permissions, attribute),
      )
      if (!isRecord(clean)) return clean
      const { id: _, documentId: __, ...others } = clean
      return others
    },
    sanitizeOutput(data, caller) {
      const permissions = getCallerPermissions(caller)
      return copyEntry(data, type, (attribute, schema) => isReadable(permissions, attribute, schema))
    },
  }
}

/** Throws for an object that is of no request. */
export function getCallerPermissions(caller: object | undefined): Permissions {
  if (caller === undefined) return everyPermission
  return findCallerPermissions(caller) ?? getRunningRequest(caller).principal.permissions
}

function isFound(permissions: Permissions, attribute: Attribute): boolean {
  // A relation to several types is shown to callers who may find all of them.
  return attribute.kind !== 'relation' || attribute.targets.every((target) => permissions.visible(target))
}

function isReadable(permissions: Permissions, attribute: Attribute, schema: Schema): boolean {
  if (attribute.private || (attribute.kind === 'scalar' && isSecret[attribute.type])) return false
  const named = isContentType(schema) ? permissions.readable(schema, 'find') : undefined
  return isFound(permissions, attribute) && named?.has(attribute.name) !== false
}

type IsKept = (attribute: Attribute, schema: Schema) => boolean

/** A deep copy; names that are no attributes stay, because code may have added them. */
function copyEntry(data: unknown, schema: Schema, isKept: IsKept): unknown {
  if (Array.isArray(data)) return data.map((one) => copyEntry(one, schema, isKept))
  if (!isRecord(data)) return data
  const members = Object.entries(data).flatMap(([name, value]) => {
    const attribute = schema.attributes.get(name)
    if (attribute === undefined) return [[name, value] as const]
    if (!isKept(attribute, schema)) return []
    return [[name, copyMember(attribute, value, (inner, of) => copyEntry(inner, of, isKept))] as const]
  })
  return Object.fromEntries(members)
}

/** Calls `copy` for the entries and components in a value. */
export function copyMember(
  attribute: Attribute,
  value: unknown,
  copy: (inner: unknown, schema: Schema) => unknown,
): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return value
    case 'component':
      return copy(value, attribute.component)
    case 'media':
      return copy(value, attribute.target)
    case 'relation':
      return attribute.target === undefined ? value : copy(value, attribute.target)
    case 'dynamiczone':
      return Array.isArray(value)
        ? value.map((one) => {
            const component = attribute.components.find(
              ({ uid }) => uid === (isRecord(one) ? one['__component'] : ''),
            )
            return component === undefined ? one : copy(one, component)
          })
        : value
  }
}
