// The core controllers of content-types, as `createCoreController` of Strapi has them, over the generated actions.

import type { Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { WriteAction } from '../model/access.ts'
import { generatedActions } from '../model/actions.ts'
import type { Schema } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { runCoreAction } from '../rest/core-actions.ts'
import type { RestContext } from '../rest/rest-context.ts'
import { getRunningRequest } from '../rest/running-request.ts'
import {
  copyMember,
  createSanitizers,
  type GetQueryPlace,
  getCallerPermissions,
  type Sanitizers,
} from './strapi-sanitize.ts'
import { type CoreController, createServiceAction, getServiceMethod } from './strapi-service-actions.ts'

/** The key of `strapi` under which the factories find the core. */
export const CORE = Symbol('core')

export interface StrapiCore {
  /** These throw for a uid that is no content-type of the file. */
  getController(uid: string): object
  getSanitizers(uid: string): Sanitizers
  getService(uid: string): object
}

interface CoreOptions {
  readonly model: Model
  /** The service of the file for the type. */
  findService(uid: string): unknown
  readonly getPlace: GetQueryPlace
}

export function createCoreController(
  type: ContentType,
  { model, findService, getPlace }: CoreOptions,
): object {
  const sanitizers = createSanitizers(type, getPlace)
  const validateQuery = async (context: RestContext): Promise<void> =>
    sanitizers.validateQuery(getRunningRequest(context).build().query, context)
  const helpers: CoreController = {
    validateQuery,
    async sanitizeQuery(context) {
      await validateQuery(context)
      return sanitizers.withoutDrafts(context.query, context)
    },
    // Every write is validated.
    async validateInput() {},
    sanitizeInput: async (data, context) => sanitizers.sanitizeInput(data, context),
    sanitizeOutput: async (data, context) => sanitizers.sanitizeOutput(data, context),
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
          if (!hasAction(service, action, type)) return runCoreAction(`${type.uid}.${action}`, context)
          assertNoRule(getCallerPermissions(context), action, type)
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
