// The core controllers of content-types, as `createCoreController` of Strapi has them, over the generated actions.

import { everyPermission, type Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { WriteAction } from '../model/access.ts'
import { generatedActions } from '../model/actions.ts'
import type { Attribute, Schema } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isContentType, isSecret } from '../plan/find-attribute.ts'
import { type CoreActions, runCoreAction } from '../rest/core-actions.ts'
import type { ParseListParams } from '../rest/parse-list-params.ts'
import type { RestContext } from '../rest/rest-context.ts'
import { getRunningRequest } from '../rest/running-request.ts'
import type { Content } from '../write/content.ts'
import { type CoreController, createServiceAction, getServiceMethod } from './strapi-service-actions.ts'

/** The key of `strapi` under which the factories find the core. */
export const CORE = Symbol('core')

export interface StrapiCore {
  /** Both throw for a uid that is no content-type of the file. */
  getController(uid: string): object
  getService(uid: string): object
}

interface CoreOptions {
  readonly model: Model
  readonly actions: CoreActions
  /** The service of the file for the type. */
  findService(uid: string): unknown
  /** Throws before there is content. */
  getPlace(): { readonly content: Pick<Content, 'prepareFind'>; readonly parseListParams: ParseListParams }
}

export function createCoreController(
  type: ContentType,
  { model, actions, findService, getPlace }: CoreOptions,
): object {
  const validateQuery = async (context: RestContext): Promise<void> => {
    const { content, parseListParams } = getPlace()
    const { principal, build } = getRunningRequest(context)
    const { permissions } = principal
    content.prepareFind(type, parseListParams(build().query, type, permissions), permissions)
  }
  /** Without a context only private attributes are left out, as in Strapi. */
  const getPermissions = (context: RestContext | undefined): Permissions =>
    context === undefined ? everyPermission : getRunningRequest(context).principal.permissions
  const helpers: CoreController = {
    validateQuery,
    async sanitizeQuery(context) {
      await validateQuery(context)
      if (getPermissions(context).seesDrafts(type)) return context.query
      const { publicationState: _, status: __, ...query } = context.query
      return query
    },
    // Every write is validated.
    async validateInput() {},
    async sanitizeInput(data, context) {
      const permissions = getPermissions(context)
      return copyEntry(data, type, (attribute) => attribute.writable && isFound(permissions, attribute))
    },
    async sanitizeOutput(data, context) {
      const permissions = getPermissions(context)
      return copyEntry(data, type, (attribute, schema) => isReadable(permissions, attribute, schema))
    },
    transformResponse(data, meta = {}) {
      if (data === null || data === undefined) return data
      return { data: model.apiVersion.documents ? data : wrapEntry(data, type), meta }
    },
  }
  const core = generatedActions[type.kind].map(
    (action) =>
      [
        action,
        async (context: RestContext) => {
          const service = findService(type.uid)
          if (!hasAction(service, action, type))
            return runCoreAction(actions, `${type.uid}.${action}`, context)
          assertNoRule(getPermissions(context), action, type)
          return createServiceAction(action, service, helpers, getFacts(type))(context)
        },
      ] as const,
  )
  return { ...helpers, ...Object.fromEntries(core) }
}

/** A service reads and writes with the rights of code, so it would pass by the rule of the caller's permission. */
function assertNoRule(permissions: Permissions, action: string, type: ContentType): void {
  const rule =
    action === 'find' || action === 'findOne'
      ? (permissions.findRule(type, action) ?? permissions.readable(type, action))
      : permissions.writeRule(type, action as WriteAction)
  if (rule === undefined) return
  const message = `the permission has a rule, which the service of ${type.uid} does not know: answer ${action} in a controller, or remove one of them`
  throw new ApiError('ForbiddenError', 'Forbidden').because({ message })
}

/** Whether the service answers the action itself. */
export function hasAction(
  service: unknown,
  action: string,
  type: ContentType,
): service is Readonly<Record<string, unknown>> {
  return isRecord(service) && Object.hasOwn(service, getServiceMethod(action, getFacts(type)))
}

function getFacts({ kind, document }: ContentType) {
  return { isSingle: kind === 'singleType', isDocument: document !== undefined }
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

/** `{ id, attributes }`, as Strapi 4 answers; components are flat. */
function wrapEntry(data: unknown, schema: Schema, isFlat = false): unknown {
  if (Array.isArray(data)) return data.map((one) => wrapEntry(one, schema, isFlat))
  if (!isRecord(data)) return data
  const { id, ...others } = data
  const attributes = Object.fromEntries(
    Object.entries(others).map(([name, value]) => {
      const attribute = schema.attributes.get(name)
      if (attribute === undefined) return [name, value]
      const isComponent = attribute.kind === 'component' || attribute.kind === 'dynamiczone'
      const inner = copyMember(attribute, value, (one, of) => wrapEntry(one, of, isComponent))
      const isRelated =
        attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.target !== undefined)
      return [name, isRelated ? { data: inner } : inner]
    }),
  )
  return isFlat ? { id, ...attributes } : { id, attributes }
}

function copyMember(
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
