// `GET /api/_events?types=article,comment` streams changes as server-sent events (WHATWG HTML, 9.2).

import type { Principal } from '../../../access/principal.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Route } from '../../../http/route.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import type { PluginContext } from '../../plugin.ts'
import type { Receivers } from './receivers.ts'
import type { Subscription } from './subscribers.ts'
import type { Selection } from './visible-events.ts'

const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

const ONE = { kind: 'offset', start: 0, limit: 1 } as const

export function createEventRoutes(
  context: Pick<PluginContext, 'content' | 'guard' | 'prefix' | 'parseListParams' | 'parseQuery'>,
  followed: readonly ContentType[],
  receivers: Receivers,
): readonly Route[] {
  const { content, guard, prefix, parseListParams, parseQuery } = context

  function buildSubscription({ query }: HttpRequest): Subscription {
    const names = listNames(parseQuery(query)['types'])
    const question = withoutTypes(query)
    const named = names?.map((name) => getType(name, followed))
    return {
      key: `stream ${query}`,
      wanted(principal): Selection {
        const may = ({ uid }: ContentType): boolean => principal.permissions.can(`${uid}.find`)
        const types = named ?? followed.filter(may)
        if (types.length === 0 || !types.every(may)) throw new ApiError('ForbiddenError', 'Forbidden')
        const known = new Map<ContentType, Params>()
        const getParams = (type: ContentType): Params => {
          const params = known.get(type) ?? parsed(type, principal.permissions, question)
          known.set(type, params)
          return params
        }
        return { types: new Set(types), getParams, withEntries: true }
      },
    }
  }

  function parsed(type: ContentType, permissions: Principal['permissions'], query: string): Params {
    const params = parseListParams(query, type, permissions)
    if (params.sort !== undefined || params.pagination !== undefined)
      throw new ApiError(
        'ValidationError',
        'Events have an order of their own: leave out sort and pagination',
      )
    return params
  }

  /** Runs the query once before the stream, so that an error becomes the response. */
  async function assertReadable(principal: Principal, { types, getParams }: Selection): Promise<void> {
    for (const type of types)
      await content.prepareFind(type, { ...getParams(type), pagination: ONE }, principal.permissions).run()
  }

  return [
    {
      method: 'GET',
      path: `${prefix}/_events`,
      handler: guard.protect({ kind: 'nothing' }, async (request, _parameters, principal) => {
        const subscription = buildSubscription(request)
        await assertReadable(principal, subscription.wanted(principal))
        if (request.method === 'HEAD') return { status: 200, headers, contentType: 'text/event-stream' }
        const after = request.header('last-event-id')
        const { body } = await receivers.add({ request, principal, subscription, after })
        return { status: 200, headers, contentType: 'text/event-stream', body }
      }),
    },
  ]
}

function listNames(types: unknown): readonly string[] | undefined {
  if (types === undefined) return undefined
  const names = (Array.isArray(types) ? types : [types]).flatMap((text: unknown) => {
    if (text === null) return []
    if (typeof text === 'string') return text.split(',').map((name) => name.trim())
    throw new ApiError('ValidationError', 'Invalid parameter types: expected names of content-types')
  })
  return names.filter((name) => name !== '')
}

function getType(name: string, followed: readonly ContentType[]): ContentType {
  const found = followed.find((type) => [type.uid, type.singularName, type.pluralName].includes(name))
  if (found !== undefined) return found
  const known = followed.map(({ singularName }) => singularName)
  const meant = didYouMean(name, known)
  const hint = meant === undefined ? `There are events of ${known.join(', ')}` : `Did you mean ${meant}?`
  throw new ApiError('ValidationError', `Unknown content-type "${name}" in types. ${hint}`)
}

function withoutTypes(query: string): string {
  return query
    .split('&')
    .filter((part) => !/^types(?:=|$|\[|%5B)/i.test(part))
    .join('&')
}
