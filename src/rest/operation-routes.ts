// Calls the operations of content-types through the routes that REST serves them by.

import type { Guard } from '../access/guard.ts'
import { queryText } from '../client/query-text.ts'
import { deriveRequest } from '../http/derive-request.ts'
import { isBodyStream, type ReplyBody } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { listOperationShapes, ownTypes, shortenActionName } from '../model/actions.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { CallableOperation, OperationCalls } from '../operations/operation-calls.ts'
import { getRestPath } from './rest-paths.ts'

interface OperationRoutesOptions {
  readonly model: Model
  readonly guard: Pick<Guard, 'actAs'>
  readonly prefix: string
  /** All routes of the app, also those that replaced a generated one. */
  readonly routes: readonly Route[]
}

export function createOperationCalls({
  model,
  guard,
  prefix,
  routes,
}: OperationRoutesOptions): OperationCalls {
  const byPath = new Map(routes.map((route) => [buildKey(route), route]))
  const served = new Map<CallableOperation, Route>()
  const byName = new Map<string, CallableOperation>()
  const types = ownTypes(model)
  const uids = types.map(({ uid }) => uid as string)
  for (const type of types)
    for (const shape of listOperationShapes(type)) {
      const place = getRestPath(type, shape, prefix)
      const route = place && byPath.get(buildKey(place))
      if (route === undefined) continue
      const full = `${type.uid}.${shape.action}`
      const permission = `${type.uid}.${shape.permitted}`
      const operation = { name: shortenActionName(full), type, shape, permission }
      served.set(operation, route)
      byName.set(full, operation)
    }
  return {
    all: [...served.keys()],
    find(name) {
      const dot = name.lastIndexOf('.')
      const uid = expandTypeName(name.slice(0, dot), uids)
      return uid === undefined ? undefined : byName.get(`${uid}${name.slice(dot)}`)
    },
    async call({ request, by, operation, input: { id, query, body } }, prepare) {
      const route = served.get(operation)
      invariant(route !== undefined, `${operation.name} is of these operations`)
      const part = deriveRequest(request, {
        method: route.method,
        path: route.path.replace(/:\w+/, encodeURIComponent(id ?? '')),
        query: queryText(query),
        json: JSON.stringify(body),
      })
      guard.actAs(part, by)
      prepare?.(part)
      const reply = await route.handler(part, id === undefined ? [] : [id])
      return { status: reply.status, text: await readText(reply.body) }
    },
  }
}

function buildKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/:\w+/g, ':')}`
}

/** A response of the cache has bytes. */
async function readText(body: ReplyBody = ''): Promise<string> {
  if (typeof body === 'string') return body
  if (!isBodyStream(body)) return Buffer.from(body).toString('utf8')
  const chunks: Uint8Array[] = []
  for await (const chunk of body.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
