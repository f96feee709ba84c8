// Actions through a service of the file that has them itself: Strapi's core controllers ask the service.

import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { RestContext } from '../rest/rest-context.ts'

/** The methods that every core controller has beside its actions. */
export interface CoreController {
  transformResponse(data: unknown, meta?: unknown): unknown
  /** Throws ValidationError for names that the caller may not ask for. */
  validateQuery(context: RestContext): Promise<void>
  sanitizeQuery(context: RestContext): Promise<Readonly<Record<string, unknown>>>
  validateInput(data: unknown, context?: RestContext): Promise<void>
  sanitizeInput(data: unknown, context?: RestContext): Promise<unknown>
  /** Without private attributes, and without relations to entries that the caller may not find. */
  sanitizeOutput(data: unknown, context?: RestContext): Promise<unknown>
}

type Action = (context: RestContext) => Promise<unknown>
type Method = (...args: unknown[]) => Promise<unknown>

interface ServedType {
  readonly isSingle: boolean
  readonly isDocument: boolean
}

/** The method of a core service behind the action. */
export function getServiceMethod(action: string, { isSingle }: Pick<ServedType, 'isSingle'>): string {
  return isSingle && action === 'update' ? 'createOrUpdate' : action
}

export function createServiceAction(
  action: string,
  service: Readonly<Record<string, unknown>>,
  controller: CoreController,
  { isSingle, isDocument }: ServedType,
): Action {
  const method = service[getServiceMethod(action, { isSingle })] as Method
  const run: Method = async (...args) => method.apply(service, args)

  async function form(context: RestContext, found: unknown, meta?: unknown): Promise<unknown> {
    if (found === null || found === undefined) throw new ApiError('NotFoundError', 'Not Found')
    return controller.transformResponse(await controller.sanitizeOutput(found, context), meta)
  }

  async function readData(context: RestContext): Promise<unknown> {
    const { body } = context.request
    const data = isRecord(body) ? body['data'] : undefined
    if (!isRecord(data)) throw new ApiError('ValidationError', 'Missing "data" payload in the request body')
    return controller.sanitizeInput(data, context)
  }

  return async (context) => {
    const query = await controller.sanitizeQuery(context)
    const { id } = context.params
    switch (action) {
      case 'find': {
        const found = await run(query)
        if (isSingle || !isRecord(found)) return form(context, found)
        return form(context, found['results'], { pagination: found['pagination'] })
      }
      case 'create': {
        const made = await run({ ...query, data: await readData(context) })
        if (isDocument) context.status = 201
        return form(context, made)
      }
      case 'update': {
        const given = { ...query, data: await readData(context) }
        return form(context, await (isSingle ? run(given) : run(id, given)))
      }
      case 'delete': {
        const former = await (isSingle ? run(query) : run(id, query))
        if (!isDocument) return form(context, former)
        context.status = 204
        return undefined
      }
      default:
        return form(context, await run(id, query))
    }
  }
}
