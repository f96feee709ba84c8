// Reads the routes that a module of `src/api/<name>/routes` declares, and their guards.

import { buildRecord } from '../../../lib/is-record.ts'
import { formatText, type Json } from '../strapi-source.ts'
import { takeAll, toPlain } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'

export interface Route {
  readonly method: string
  /** Below `/api`, as Strapi writes it: `/notes/:id`. */
  readonly path: string
  readonly action: string
  /** The folder below `src/api`. */
  readonly api: string
  /** Its guards: `policies`, `middlewares`, `auth`. */
  readonly guards: readonly string[]
  readonly isOpen: boolean
  /** If they are policies and middlewares by name, and `auth: false`. */
  readonly options?: RouteOptions | undefined
  readonly at: number
}

export interface RouteOptions {
  readonly isOpen: boolean
  readonly policies: readonly GuardUse[]
  readonly middlewares: readonly GuardUse[]
}

export interface GuardUse {
  readonly name: string
  readonly config: unknown
}

export const CORE_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** Undefined for anything but a plain declaration. */
export function readRoutes(
  router: CodeValue | undefined,
  api: string,
  contentTypes: ReadonlyMap<string, Json>,
): readonly Route[] | undefined {
  if (router?.kind === 'call') return coreRoutes(router, api, contentTypes)
  if (router?.kind !== 'object') return undefined
  const routes = router.members.get('routes')
  const prefix = textIn(router, 'prefix')
  const type = textIn(router, 'type')
  if (routes?.kind !== 'list' || prefix === undefined || type === undefined) return undefined
  const read = routes.items.map((route) => customRoute(route, api, prefix))
  if (read.some((route) => route === undefined)) return undefined
  return type === 'admin'
    ? []
    : read.flatMap((route) => (route === undefined || route === 'admin' ? [] : [route]))
}

export function listCoreRequests(
  uid: string,
  schema: Json,
): readonly { readonly method: string; readonly path: string; readonly action: string }[] {
  const { singularName, pluralName } = buildRecord(schema['info'])
  const isSingle = schema['kind'] === 'singleType'
  const path = `/${formatText(isSingle ? singularName : pluralName)}`
  const requests = [
    ['find', 'GET', path],
    ...(isSingle
      ? []
      : ([
          ['findOne', 'GET', `${path}/:id`],
          ['create', 'POST', path],
        ] as const)),
    ['update', 'PUT', isSingle ? path : `${path}/:id`],
    ['delete', 'DELETE', isSingle ? path : `${path}/:id`],
  ] as const
  return requests.map(([action, method, at]) => ({ method, path: at, action: `${uid}.${action}` }))
}

function coreRoutes(
  call: CodeValue & { readonly kind: 'call' },
  api: string,
  contentTypes: ReadonlyMap<string, Json>,
): readonly Route[] | undefined {
  const [uid, options = { kind: 'object', members: new Map(), at: call.at } as const, more] = call.args
  if (!call.callee.endsWith('.createCoreRouter') || !call.callee.startsWith('@strapi/strapi'))
    return undefined
  if (uid?.kind !== 'text' || options.kind !== 'object' || more !== undefined) return undefined
  if ([...options.members.keys()].some((name) => !/^(?:prefix|only|except|config|type)$/.test(name)))
    return undefined
  const { members } = options
  const config = members.get('config')
  const [prefix, type] = [textIn(options, 'prefix'), textIn(options, 'type')]
  const [only, except] = [namesIn(members.get('only')), namesIn(members.get('except'))]
  if (prefix === undefined || type === undefined || only === 'unknown' || except === 'unknown')
    return undefined
  if (config !== undefined && config.kind !== 'object') return undefined
  if (type === 'admin') return []
  return listCoreRequests(uid.text, contentTypes.get(uid.text) ?? {})
    .map((request) => ({ ...request, name: request.action.slice(uid.text.length + 1) }))
    .filter(({ name }) => only?.includes(name) !== false && except?.includes(name) !== true)
    .map(({ method, path, action, name }) => {
      const own = config?.members.get(name)
      return {
        ...{ method, path: prefix + path, action, api, at: own?.at ?? call.at },
        ...guardsIn(own),
        options: readOptions(own),
      }
    })
}

function customRoute(route: CodeValue, api: string, prefix: string): Route | 'admin' | undefined {
  if (route.kind !== 'object') return undefined
  const [method, path, handler] = ['method', 'path', 'handler'].map((name) => route.members.get(name))
  if (method?.kind !== 'text' || path?.kind !== 'text' || handler?.kind !== 'text') return undefined
  // A pattern may match any path.
  if (/[(*+?{]/.test(path.text)) return undefined
  const info = route.members.get('info')
  if (info !== undefined) {
    const type = info.kind === 'object' ? textIn(info, 'type') : undefined
    if (type === undefined) return undefined
    if (type === 'admin') return 'admin'
  }
  const action = handler.text.includes('::') ? handler.text : `api::${api}.${handler.text}`
  return {
    method: method.text.toUpperCase(),
    path: prefix + path.text,
    action,
    api,
    at: route.at,
    ...guardsIn(route.members.get('config')),
    options: readOptions(route.members.get('config')),
  }
}

function guardsIn(config: CodeValue | undefined): Pick<Route, 'guards' | 'isOpen'> {
  if (config === undefined || isUndefined(config)) return { guards: [], isOpen: false }
  if (config.kind !== 'object') return { guards: ['a config that is not understood'], isOpen: false }
  const auth = config.members.get('auth')
  const isOpen = auth?.kind === 'literal' && auth.value === false
  const guards = ['policies', 'middlewares'].filter((name) => {
    const list = config.members.get(name)
    return list !== undefined && !isUndefined(list) && !(list.kind === 'list' && list.items.length === 0)
  })
  const isPlain =
    auth === undefined || isUndefined(auth) || (auth.kind === 'object' && auth.members.size === 0)
  return { guards: isPlain || isOpen ? guards : [...guards, 'auth'], isOpen }
}

function readOptions(config: CodeValue | undefined): RouteOptions | undefined {
  if (config === undefined || isUndefined(config)) return { isOpen: false, policies: [], middlewares: [] }
  if (config.kind !== 'object') return undefined
  const { guards, isOpen } = guardsIn(config)
  const policies = readUses(config.members.get('policies'))
  const middlewares = readUses(config.members.get('middlewares'))
  if (policies === undefined || middlewares === undefined || guards.includes('auth')) return undefined
  return { isOpen, policies, middlewares }
}

/** Undefined for anything but names, and names with plain settings. */
function readUses(list: CodeValue | undefined): readonly GuardUse[] | undefined {
  if (list === undefined || isUndefined(list)) return []
  if (list.kind !== 'list') return undefined
  const plain = toPlain(list)
  return Array.isArray(plain) ? takeAll(plain, toUse) : undefined
}

/** `name`, or `{ name, config }` with plain settings. */
export function toUse(plain: unknown): GuardUse | undefined {
  if (typeof plain === 'string') return { name: plain, config: undefined }
  const { name, config, ...more } = buildRecord(plain)
  return typeof name === 'string' && Object.keys(more).length === 0 ? { name, config } : undefined
}

function isUndefined(value: CodeValue): boolean {
  return value.kind === 'literal' && value.value === undefined
}

/** '' if it is missing, undefined if it is not a text. */
function textIn({ members }: CodeValue & { readonly kind: 'object' }, name: string): string | undefined {
  const value = members.get(name)
  if (value === undefined || isUndefined(value)) return ''
  return value.kind === 'text' ? value.text : undefined
}

function namesIn(value: CodeValue | undefined): readonly string[] | 'unknown' | undefined {
  if (value === undefined || isUndefined(value)) return undefined
  if (value.kind !== 'list') return 'unknown'
  const names = value.items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
  return names.length === value.items.length ? names : 'unknown'
}
