// Finds code of a Strapi project that guards permissions, by parsing it without running it, and code that is kept. Code that
// cannot be understood counts as a guard.

import { basename, extname, join, relative } from 'node:path'
import { createGuardList, type GuardList, type Guards } from '../guards.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { findAbsentParts } from './absent-parts.ts'
import { type CarryOptions, CodeCarrier } from './carry-code.ts'
import { buildResult } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'
import { readCode } from './read-code.ts'
import { CORE_ACTIONS, listCoreRequests, type Route, readRoutes } from './read-routes.ts'
import { findRequestHooks } from './request-hooks.ts'

const MAX_FILES = 5000

interface PlacedRoute extends Route {
  /** The folder below `src/api`. */
  readonly api: string
  /** `src/api/…/routes/note.js:3: GET /api/notes`. */
  readonly place: string
}

export async function findGuards(
  folder: string,
  contentTypes: ReadonlyMap<string, Json>,
  { directory = folder, findLoadFault = async () => undefined }: Partial<CarryOptions> = {},
): Promise<Guards> {
  const carrier = new CodeCarrier(folder, { directory, findLoadFault })
  const guards = createGuardList(carrier)
  let count = 0
  const codeIn = async (place: string): Promise<readonly string[]> => {
    const files = await listCodeFiles(join(folder, place))
    count += files.length
    return files
  }
  await findRequestHooks(folder, guards)
  for (const plugin of await listFolders(join(folder, 'src/extensions'))) {
    for (const file of await codeIn(`src/extensions/${plugin}`))
      guards.add(`plugin::${plugin}.`, `${relative(folder, file)} may change what the plugin answers`)
  }
  const routes: PlacedRoute[] = []
  for (const api of await listFolders(join(folder, 'src/api'))) {
    if (count > MAX_FILES) {
      guards.add('', `the project has more than ${MAX_FILES} files of code`)
      break
    }
    for (const file of await codeIn(`src/api/${api}/routes`)) {
      const name = relative(folder, file)
      const code = await readCode(file)
      const found = readRoutes(code.exported, api, contentTypes)
      if (found === undefined)
        guards.add(`api::${api}.`, `${name} is not understood, and may guard every route`)
      for (const route of found ?? []) {
        const place = `${name}:${code.lineAt(route.at)}: ${route.method} /api${route.path}`
        routes.push({ ...route, api, place })
      }
    }
    for (const file of await codeIn(`src/api/${api}/controllers`))
      await guardOverridden({ folder, file, api, factory: 'createCoreController', contentTypes }, guards)
    for (const file of await codeIn(`src/api/${api}/services`))
      await guardOverridden({ folder, file, api, factory: 'createCoreService', contentTypes }, guards)
  }
  await guardRoutes(routes, guards, carrier)
  await noteOtherFiles(folder, guards, carrier)
  await carrier.carryLifecycles(contentTypes.keys(), guards.notes)
  for (const note of await findAbsentParts(folder)) guards.notes.add('missing', note)
  for (const [uid, schema] of contentTypes)
    if (uid.startsWith('api::')) guardUnserved(uid, schema, { routes, guards })
  return guards
}

async function guardRoutes(
  routes: readonly PlacedRoute[],
  guards: GuardList,
  carrier: CodeCarrier,
): Promise<void> {
  for (const { action, api, place, guards: own, isOpen, options } of routes) {
    if (own.length === 0 && !isOpen) continue
    const [uid, name] = [action.slice(0, action.lastIndexOf('.')), action.slice(action.lastIndexOf('.') + 1)]
    const list = [...(isOpen ? ['auth: false'] : []), ...own].join(' and ')
    const reason = options && (await carrier.carry(uid, name, api, options))
    if (options !== undefined && reason === undefined) {
      guards.notes.add('taken', `${place} keeps ${list}`)
      continue
    }
    if (own.length > 0)
      guards.add(action, `${place} has ${own.join(' and ')}${reason === undefined ? '' : ` (${reason})`}`)
    if (isOpen) guards.open(action, `${place} asks for no permission (auth: false)`)
  }
}

async function noteOtherFiles(folder: string, guards: GuardList, { files }: CodeCarrier): Promise<void> {
  const apis = (await listFolders(join(folder, 'src/api'))).map((api) => `src/api/${api}`)
  for (const place of ['src', ...apis].flatMap((one) => [`${one}/policies`, `${one}/middlewares`]))
    for (const file of await listCodeFiles(join(folder, place)))
      if (!files.has(file)) guards.notes.add('missing', `${relative(folder, file)} is code and is not taken`)
}

/** In Strapi, a permission without a route to its action allows no request; here each action has a route. */
function guardUnserved(
  uid: string,
  schema: Json,
  { routes, guards }: { readonly routes: readonly PlacedRoute[]; readonly guards: GuardList },
): void {
  for (const name of CORE_ACTIONS) {
    const action = `${uid}.${name}`
    const isServed = routes.some((route) => route.action === action)
    if (!isServed && guards.reasons(action).length === 0)
      guards.add(action, `no route of the project leads to ${action}`)
  }
  for (const { method, path, action } of listCoreRequests(uid, schema)) {
    const other = routes.find(
      (route) =>
        route.action !== action && route.method === method && buildPattern(route.path) === buildPattern(path),
    )
    if (other !== undefined) guards.add(action, `${other.place} is answered by ${other.action}`)
  }
}

function buildPattern(path: string): string {
  return path.replace(/:\w+/g, ':').replace(/\/+$/, '')
}

interface OverridingFile {
  readonly folder: string
  readonly file: string
  readonly api: string
  readonly factory: 'createCoreController' | 'createCoreService'
  readonly contentTypes: ReadonlyMap<string, Json>
}

async function guardOverridden(
  { folder, file, api, factory, contentTypes }: OverridingFile,
  guards: GuardList,
): Promise<void> {
  const name = basename(file, extname(file))
  const uid = `api::${api}.${name}`
  const place = relative(folder, file)
  // Strapi writes other names in kebab-case.
  const isPlainName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)
  if (isPlainName && !contentTypes.has(uid)) {
    guards.notes.add('missing', `${place} is code and is not taken`)
    return
  }
  const code = await readCode(file)
  const actions = isPlainName ? overriddenActions(code.exported, factory, uid) : undefined
  if (actions === undefined)
    guards.add(`api::${api}.`, `${place} is not understood, and may guard every action`)
  else if (actions === 'all') guards.add(`${uid}.`, `${place} changes what every action answers`)
  else
    for (const action of actions) {
      if ((CORE_ACTIONS as readonly string[]).includes(action))
        guards.add(`${uid}.${action}`, `${place} answers ${action} itself`)
      else guards.notes.add('missing', `${place} adds ${action}, which is code and is not taken`)
    }
}

/** Every action goes through these methods of Strapi's own controllers and services. */
const SHARED =
  /^(?:transformResponse|sanitize(?:Output|Input|Query)|validate(?:Input|Query)|getFetchParams|constructor)$/

/** 'all' for all actions; undefined if the module is not understood. */
function overriddenActions(
  module: CodeValue | undefined,
  factory: 'createCoreController' | 'createCoreService',
  uid: string,
): readonly string[] | 'all' | undefined {
  const methods = module?.kind === 'call' ? methodsOfCall(module, factory, uid) : buildResult(module)
  if (methods?.kind !== 'object') return undefined
  const names = [...methods.members.keys()]
  return names.some((name) => SHARED.test(name)) ? 'all' : names
}

function methodsOfCall(
  { callee, args, at }: CodeValue & { readonly kind: 'call' },
  factory: string,
  uid: string,
): CodeValue | undefined {
  const [of, methods, more] = args
  if (!callee.startsWith('@strapi/strapi') || !callee.endsWith(`.${factory}`)) return undefined
  if (of?.kind !== 'text' || of.text !== uid || more !== undefined) return undefined
  return methods === undefined ? { kind: 'object', members: new Map(), at } : buildResult(methods)
}
