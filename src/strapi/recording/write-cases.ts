// Converts recorded exchanges to cases: each request before the first write is an independent case; the rest
// form one case, in order.

import { buildRecord, isRecord } from '../../lib/is-record.ts'
import type { Json } from '../import/strapi-source.ts'
import type { Exchange, RecordedCaller, Recording } from './exchange.ts'
import { createBodies } from './expected-body.ts'
import type { RecordedModel } from './recorded-model.ts'

export interface RecordedCases {
  readonly cases: Readonly<Record<string, readonly Json[]>>
  readonly requests: number
  /** By caller, `public`, `authenticated`, or `token <name>`: the actions that it was seen to use. */
  readonly allowed: ReadonlyMap<string, ReadonlySet<string>>
  readonly elsewhere: number
}

const MAX_NAME_LENGTH = 100

export function getCases({ exchanges }: Recording, model: RecordedModel): RecordedCases {
  const cases: Record<string, Json[]> = {}
  const allowed = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const bodies = createBodies(model)
  let elsewhere = 0
  let requests = 0
  let writes: Json[] | undefined
  for (const exchange of exchanges) {
    const { method, path, query, caller, status } = exchange
    const [, segment = '', id, ...rest] = path.split('/').slice(1)
    const uid = model.bySegment.get(decoded(segment))
    if (uid === undefined || rest.length > 0) {
      elsewhere += 1
      continue
    }
    const allow = (type: string, action: string): void => {
      const name = caller === undefined ? 'public' : 'role' in caller ? caller.role : `token ${caller.token}`
      const actions = allowed.get(name) ?? new Set()
      allowed.set(name, actions.add(`${type}.${action}`))
    }
    const single = buildRecord(model.contentTypes.get(uid))['kind'] === 'singleType'
    const isCreation = method === 'POST' && id === undefined
    // A 400 or 404 of a content-type shows that the caller had permission.
    if (status !== 403) allow(uid, getAction(method, single || id === undefined))
    const step: Json = {
      [method.toLowerCase()]: bodies.buildPath(uid, path, id) + (query === '' ? '' : `?${query}`),
      ...getAs(caller),
      ...(exchange.send !== undefined && { send: bodies.toSent(uid, exchange.send) }),
      expect: status,
      ...getBody(exchange, uid, (target) => allow(target, 'find')),
      ...(isCreation && status < 300 && bodies.findCapture(uid, exchange.body)),
    }
    if (method !== 'GET') {
      writes ??= []
      if (status < 300) bodies.written(uid, exchange.body)
    }
    if (writes !== undefined) writes.push(step)
    else {
      // Before the first write, equal requests have equal responses.
      const key = JSON.stringify([caller, path, query])
      if (seen.has(key)) continue
      seen.add(key)
      cases[getName(exchange, cases)] = [step]
    }
    requests += 1
  }
  if (writes !== undefined) cases['from the first write on, in order'] = writes
  return { cases, requests, allowed, elsewhere }

  function getBody({ status, body, method }: Exchange, uid: string, shows: (uid: string) => void): Json {
    if (body === undefined) return {}
    if (status < 400) return { body: bodies.toExpected(uid, body, method !== 'GET', shows) }
    const { error } = buildRecord(body)
    // Error details differ between releases of Strapi, and programs seldom read them.
    const { name, message } = buildRecord(error)
    return isRecord(error) ? { body: { error: { status, name, message } } } : {}
  }
}

function getAction(method: string, isWhole: boolean): string {
  if (method === 'GET') return isWhole ? 'find' : 'findOne'
  return method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'update'
}

function getAs(caller: RecordedCaller | undefined): Json {
  return caller === undefined ? {} : { as: caller }
}

function getName(
  { method, path, query, caller }: Exchange,
  others: Readonly<Record<string, unknown>>,
): string {
  const who = caller === undefined ? '' : 'role' in caller ? ` as ${caller.role}` : ` with ${caller.token}`
  const url = `${method} ${decoded(path)}${query === '' ? '' : `?${decoded(query)}`}`
  const name = `${url.length > MAX_NAME_LENGTH ? `${url.slice(0, MAX_NAME_LENGTH)}…` : url}${who}`
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`
    if (!Object.hasOwn(others, numbered)) return numbered
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
