// Finds code of a Strapi project that guards permissions, by parsing it without running it, and code that is kept. Code that
// cannot be understood counts as a guard.

import { basename, join, relative } from 'node:path'
import { buildRecord } from '../../../lib/is-record.ts'
import { createGuardList, type GuardList, type Guards } from '../guards.ts'
import { isOfPlugin } from '../plugin-types.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { findAbsentParts } from './absent-parts.ts'
import { type CarryOptions, CodeCarrier } from './carry-code.ts'
import { carryLifecycles, carrySettings } from './carry-files.ts'
import { carryPlugins } from './carry-plugins.ts'
import { takeAll } from './code-values.ts'
import { splitCombinedRouter } from './combined-routers.ts'
import { answersRequest, isSameRequest } from './compare-requests.ts'
import { readCode } from './read-code.ts'
import { type OwnMethods, readMethods } from './read-methods.ts'
import { CORE_ACTIONS, listCoreRequests, type Route, readRoutes } from './read-routes.ts'
import { findRequestHooks } from './request-hooks.ts'

const MAX_FILES = 5000

interface PlacedRoute extends Route {
  /** `src/api/…/routes/note.js:3: GET /api/notes`. */
  readonly place: string
}

export async function findGuards(
  folder: string,
  contentTypes: ReadonlyMap<string, Json>,
  {
    directory = folder,
    findLoadFault = async () => undefined,
    hasGraphql = false,
    copyFolder,
  }: Partial<CarryOptions> = {},
): Promise<Guards> {
  const carrier = new CodeCarrier(folder, { directory, findLoadFault, hasGraphql, copyFolder })
  const guards = createGuardList(carrier)
  let count = 0
  const codeIn = async (place: string): Promise<readonly string[]> => {
    const files = await listCodeFiles(join(folder, place))
    count += files.length
    return files
  }
  await carrier.carryProgram(guards.notes)
  await findRequestHooks(folder, guards, carrier)
  for (const plugin of await listFolders(join(folder, 'src/extensions'))) {
    for (const file of await codeIn(`src/extensions/${plugin}`)) {
      const place = relative(folder, file)
      const isUsers = plugin === 'users-permissions'
      // Strapi loads no other file itself.
      if (isUsers && !/^strapi-server\.\w+$/.test(basename(file))) continue
      const reason = isUsers
        ? await carrier.carryUserExtension(file)
        : 'only users-permissions can be changed'
      if (reason === undefined) guards.notes.add('taken', `${place} is kept`)
      else guards.add(`plugin::${plugin}.`, `${place} may change what the plugin answers (${reason})`)
    }
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
      const routers = splitCombinedRouter(code.tokens ?? []) ?? [code.exported]
      const found = takeAll(routers, (router) => readRoutes(router, api, contentTypes))?.flat()
      // Strapi starts with an empty file, which declares no route.
      if (code.tokens?.length === 0) continue
      if (found === undefined)
        guards.add(`api::${api}.`, `${name} is not understood, and may guard every route`)
      for (const route of found ?? []) {
        const place = `${name}:${code.lineAt(route.at)}: ${route.method} /api${route.path}`
        routes.push({ ...route, place })
      }
    }
    const owner = { folder, contentTypes, guards, carrier }
    for (const file of await codeIn(`src/api/${api}/controllers`)) {
      const methods = await readMethods(file, api, 'createCoreController')
      const changesType = methods.changesAll && contentTypes.has(methods.uid ?? '')
      const reason = changesType
        ? CHANGES_ALL
        : (findMissingType(methods, contentTypes) ?? (await carrier.carryController(methods)))
      if (reason !== undefined) await guardOverridden(methods, reason, owner)
    }
    for (const file of await codeIn(`src/api/${api}/services`)) {
      const methods = await readMethods(file, api, 'createCoreService')
      const changesType = methods.changesAll && contentTypes.has(methods.uid ?? '')
      const reason = changesType
        ? CHANGES_ALL
        : (findMissingType(methods, contentTypes) ??
          (await carrier.carryService(methods, contentTypes.has(methods.uid ?? ''))))
      if (reason !== undefined) await guardOverridden(methods, reason, owner)
    }
  }
  await guardRoutes(routes, contentTypes, guards, carrier)
  await noteOtherFiles(folder, guards, carrier)
  await carryLifecycles(folder, contentTypes.keys(), carrier, guards.notes)
  await carryPlugins(folder, carrier, guards.notes)
  const { notes, parts } = await findAbsentParts(folder, carrier.services)
  for (const note of notes) guards.notes.add('missing', note)
  if (READERS.some((part) => parts.has(part))) notePrivate(contentTypes, guards)
  if (parts.has('config')) await carrySettings(folder, carrier, guards.notes)
  for (const [uid, schema] of contentTypes)
    if (uid.startsWith('api::') && !isOfPlugin(schema)) guardUnserved(uid, schema, { routes, guards })
  return guards
}

/** The members of `strapi` that read entries. */
const READERS = ['db', 'query', 'entityService', 'documents', 'service'] as const

function notePrivate(contentTypes: ReadonlyMap<string, Json>, { notes }: GuardList): void {
  const found = [...contentTypes].flatMap(([uid, { attributes }]) =>
    Object.entries(buildRecord(attributes))
      .filter(([, attribute]) => buildRecord(attribute)['private'] === true)
      .map(([name]) => `${uid}.${name}`),
  )
  if (found.length === 0) return
  const names = found.slice(0, 5).join(', ') + (found.length > 5 ? ` and ${found.length - 5} more` : '')
  notes.add('different', `code gets private attributes only if "fields" or "select" names them: ${names}`)
}

async function guardRoutes(
  routes: readonly PlacedRoute[],
  contentTypes: ReadonlyMap<string, Json>,
  guards: GuardList,
  carrier: CodeCarrier,
): Promise<void> {
  const generated = [...contentTypes].flatMap(([uid, schema]) =>
    uid.startsWith('api::') ? listCoreRequests(uid, schema) : [],
  )
  for (const route of routes) {
    const { action, place, guards: own, isOpen } = route
    const same = generated.filter((request) => isSameRequest(request, route))
    const isGenerated = same.some((request) => request.action === action)
    const handler = carrier.findHandler(action)
    if (isGenerated && own.length === 0 && !isOpen && handler === undefined) continue
    const reason = isGenerated
      ? await carrier.carryOptions(route, handler)
      : await carrier.carryRoute(route, carrier.findHandler(action, true))
    if (reason === undefined) {
      const list = [...(isOpen ? ['auth: false'] : []), ...own].join(' and ')
      guards.notes.add('taken', list === '' ? `${place} is kept` : `${place} keeps ${list}`)
      continue
    }
    const text =
      own.length > 0 ? `${place} has ${own.join(' and ')} (${reason})` : `${place} is not taken: ${reason}`
    if (own.length > 0) guards.add(action, text)
    else if (isGenerated && handler !== undefined)
      guards.add(action, `${place} is answered by code (${reason})`)
    else if (!isGenerated) guards.notes.add('missing', text)
    // Without its permission a generated route is closed to roles, but not to API tokens.
    if (isGenerated && (own.length > 0 || handler !== undefined)) carrier.closeAction(action, text)
    if (same.length === 0) carrier.closeRoute(route, text)
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
  for (const request of listCoreRequests(uid, schema)) {
    const { action } = request
    const others = routes.filter((route) => route.action !== action)
    const first = routes.find((route) => answersRequest(route, request))
    const other = others.find((route) => isSameRequest(route, request) || route === first)
    if (other !== undefined) guards.add(action, `${other.place} is answered by ${other.action}`)
  }
}

async function guardOverridden(
  methods: OwnMethods,
  reason: string,
  {
    folder,
    contentTypes,
    guards,
    carrier,
  }: {
    readonly folder: string
    readonly contentTypes: ReadonlyMap<string, Json>
    readonly guards: GuardList
    readonly carrier: CodeCarrier
  },
): Promise<void> {
  const { uid, api, file, names } = methods
  const place = relative(folder, file)
  if (uid !== undefined && !contentTypes.has(uid))
    guards.notes.add('missing', `${place} is code and is not taken: ${reason}`)
  else if (uid === undefined || names === undefined)
    guards.add(`api::${api}.`, `${place} is not understood, and may guard every action`)
  else if (methods.changesAll) guards.add(`${uid}.`, `${place} ${CHANGES_ALL}`)
  else
    for (const name of names) {
      if (isCoreAction(name)) {
        const text = `${place} answers ${name} itself (${reason})`
        guards.add(`${uid}.${name}`, text)
        carrier.closeAction(`${uid}.${name}`, text)
      } else guards.notes.add('missing', `${place} adds ${name}, which is code and is not taken: ${reason}`)
    }
}

/** Strapi's factories fail without it. */
function findMissingType(
  { coreUid }: OwnMethods,
  contentTypes: ReadonlyMap<string, Json>,
): string | undefined {
  return coreUid === undefined || contentTypes.has(coreUid)
    ? undefined
    : `there is no content-type ${coreUid}`
}

const CHANGES_ALL = 'changes what every action answers'

function isCoreAction(name: string): boolean {
  return (CORE_ACTIONS as readonly string[]).includes(name)
}
