// Applies the user code of a checked configuration to one app. `register` has run when `customize` returns;
// `bootstrap` runs when the tables exist.

import { expandRolePermissions } from '../access/permissions.ts'
import type { Config } from '../config/config.ts'
import { AsyncContext } from '../lib/async-context.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Model } from '../model/model.ts'
import type { GraphqlCustomization, UserExtension } from '../plugins/graphql-customization.ts'
import { findShadowCrudUid, readShadowCrud } from '../plugins/shadow-crud-handles.ts'
import type { CurrentRequest, RestContext, RestMiddleware } from '../rest/rest-context.ts'
import type { OptionsOfRoute, OwnRoute } from '../rest/route-options.ts'
import type { CoreActions } from '../rest/running-request.ts'
import { createCallerState, type ReadCallerState } from '../write/caller-state.ts'
import type { Lifecycle } from '../write/lifecycle.ts'
import { bindOptions, bindRoutes, type RouteBinding } from './bind-routes.ts'
import { createDocumentMiddlewares, type DocumentMiddlewares } from './document-middlewares.ts'
import { buildTools, createWrongKind, type OwnCode } from './own-code.ts'
import { createFindService } from './own-controllers.ts'
import { limitExtensionTime, REGISTER_TIMEOUT_MS, runHook } from './run-hook.ts'
import { createStrapiConfig, type StrapiConfig } from './strapi-config.ts'
import { CORE } from './strapi-core.ts'
import type { CoreController } from './strapi-service-actions.ts'
import { type AttachedPlace, createUserCms, type ExtensionRegistry, type UserCms } from './user-cms.ts'
import { createSubscribedLifecycles, createUserLifecycles, type ProgramHooks } from './user-lifecycles.ts'
import { type UserFunction, watchTime } from './watch-time.ts'

export interface Customization {
  readonly getOptions: OptionsOfRoute
  readonly routes: readonly OwnRoute[]
  /** A route of the file replaces them. */
  readonly pluginRoutes: readonly OwnRoute[]
  readonly lifecycles: readonly Lifecycle[]
  readonly graphql: GraphqlCustomization
  exported(reference: string): unknown
  readonly used: boolean
  readonly readState: ReadCallerState
  readonly current: CurrentRequest
  readonly surroundDocuments: DocumentMiddlewares['surroundWrites'] | undefined
  findAroundRead(uid: string, action: string): RestMiddleware | undefined
  /** Of every request. */
  readonly middlewares: readonly RestMiddleware[]
  readonly coreActions: CoreActions
  attach(place: AttachedPlace): void
  bootstrap(): Promise<readonly Diagnostic[]>
  begin(): void
}

interface CustomizeOptions {
  readonly config: Config
  readonly model: Model
  readonly actions: ReadonlySet<string>
  readonly own: OwnCode
  readonly hooks: ProgramHooks
  readonly log: UserCms['log']
  readonly report: Report
}

export async function customize(options: CustomizeOptions): Promise<Customization> {
  const { config, model, own, report } = options
  const shadow = readShadowCrud(config.graphql.shadowCRUD, model)
  const extensions: UserExtension[] = []
  let registering: Pick<UserExtension, 'name' | 'path'> | undefined
  const registry: ExtensionRegistry = {
    shadowCRUD: (type) => shadow.handle(findShadowCrudUid(model, type)),
    use(extension) {
      if (registering === undefined)
        throw new Error('use() belongs into register(): the schema is made already')
      extensions.push({ extension, ...registering })
    },
  }
  let place: AttachedPlace | undefined
  /**
   * The reason why the configuration was rejected; its code may still run, but can no longer change content.
   */
  let refused: string | undefined
  const placeNow = (): AttachedPlace | undefined => {
    if (refused !== undefined) throw new Error(`the configuration of this code was not taken: ${refused}`)
    return place
  }
  const requirePlace = (): AttachedPlace => {
    const known = placeNow()
    if (known === undefined) throw new Error('code is not called before there is content')
    return known
  }
  const subscribed: Lifecycle[] = []
  const coreActions: CoreActions = new Map()
  const current = own.asksRequest ? new AsyncContext<RestContext>() : undefined
  const findService =
    Object.keys(config.services).length === 0
      ? (): undefined => undefined
      : createFindService(config.services, own.code)
  let readSettings: StrapiConfig | undefined
  const settings = (): StrapiConfig => {
    readSettings ??= createStrapiConfig(config, own, report)
    return readSettings
  }
  // Faults of settings are reported at the start.
  if (Object.keys(config.settings).length > 0) settings()
  let documents: DocumentMiddlewares | undefined
  // Most configurations have no code.
  const getDocuments = (): DocumentMiddlewares => {
    documents ??= createDocumentMiddlewares({
      watch: (run) => watchTime(run as UserFunction, 'a middleware of documents', options.log) as typeof run,
      warn: (message) => options.log.warn(message),
      getContent: () => requirePlace().content,
      model,
      hasGraphql: config.plugins['graphql']?.enabled === true,
      describeType: (uid) => cms.strapi.contentType(uid),
      async sanitizeOutput(uid, data, context) {
        const controller = cms.strapi[CORE].getController(uid) as CoreController
        return controller.sanitizeOutput(data, context)
      },
    })
    return documents
  }
  const cms = createUserCms({
    model,
    place: placeNow,
    extension: registry,
    log: options.log,
    current,
    getDocuments,
    findService,
    listGranted: () => expandRolePermissions(config.auth, options.actions),
    settings,
    directory: config.directory,
    subscribe(subscriber) {
      const added = createSubscribedLifecycles(subscriber, model, options.log)
      if (place === undefined) subscribed.push(...added)
      else for (const lifecycle of added) place.addLifecycle(lifecycle)
    },
  })
  const within = <T>(task: () => Promise<T>): Promise<T> =>
    own.strapiGlobals.reduce((inner, global) => () => global.run(cms.strapi, inner), task)()
  const readState: ReadCallerState = (principal) => {
    reader ??= createCallerState(model, requirePlace().content)
    return reader(principal)
  }
  let reader: ReadCallerState | undefined

  const programs = listPrograms(options, cms)
  const registers = programs.some(({ hooks: { register } }) => register !== undefined)
  for (const { hooks, ...from } of programs) {
    registering = from
    const call = { what: 'register', of: from.name, path: from.path, longest: REGISTER_TIMEOUT_MS } as const
    await runHook(call, options, report, () => within(async () => hooks.register?.(cms)))
  }
  registering = undefined
  for (const [index, extension] of config.graphql.extensions.entries()) {
    extensions.push(extensionOfFile(extension, ['graphql', 'extensions', index], own))
  }
  const bounded = extensions.map((one) => limitExtensionTime(one, (make) => within(async () => make())))

  const bound: RouteBinding = { ...options, cms, findService, within }
  const bind: GraphqlCustomization['bind'] = (given, path, reportHere) =>
    within(() => bindOptions(given, { path, report: reportHere }, bound))
  const { generated, routes, pluginRoutes, middlewares, closedFields } = await bindRoutes(bound)
  const ofTypes = Object.entries(config.contentTypes).flatMap(([uid, { sourceKey, lifecycles: file }]) => {
    const hooks = file === undefined ? undefined : own.code.exported(file)
    if (file === undefined || hooks === undefined) return []
    const place = { path: ['contentTypes', sourceKey, 'lifecycles'], report, of: file, log: options.log }
    return createUserLifecycles({ [uid]: hooks }, model, place)
  })
  const ofPrograms = programs.flatMap(({ hooks, name, path }) =>
    createUserLifecycles(hooks.lifecycles, model, { path, report, of: name, log: options.log }),
  )
  const lifecycles = [...ofTypes, ...ofPrograms, ...subscribed]
  const resolversConfig = { ...config.graphql.resolversConfig, ...closeFields(closedFields) }
  const hasCode = programs.length > 0 || !own.isEmpty

  return {
    exported: (reference) => own.code.exported(reference),
    getOptions: (uid, action) => generated.get(`${uid}.${action}`),
    routes,
    pluginRoutes,
    lifecycles,
    readState,
    current,
    surroundDocuments: hasCode ? (inner) => getDocuments().surroundWrites(inner) : undefined,
    findAroundRead: (uid, action) => documents?.findAroundRead(uid, action),
    middlewares,
    coreActions,
    used:
      current !== undefined ||
      [programs, routes, pluginRoutes, extensions, middlewares].some(({ length }) => length > 0) ||
      generated.size > 0,
    graphql: {
      shadowCrud: shadow.settings,
      extensions: bounded,
      resolversConfig,
      get tools() {
        return buildTools(cms)
      },
      bind,
      readState,
      registers,
    },
    attach(given) {
      place = given
    },
    begin() {
      for (const global of own.strapiGlobals) global.goLive(cms.strapi)
    },
    async bootstrap() {
      const failed: Diagnostic[] = []
      const longest = config.server.limits.bootstrap
      for (const { hooks, name, path } of programs) {
        const fail: Report = (fault) => {
          refused = fault.message
          failed.push(fault)
        }
        const call = { what: 'bootstrap', of: name, path, longest } as const
        await runHook(call, options, fail, () => within(async () => hooks.bootstrap?.(cms)))
        if (refused !== undefined) break
      }
      return failed
    },
  }
}

/** Fields that would pass by the code that answers the same action over REST. */
function closeFields(fields: readonly string[]): Readonly<Record<string, unknown>> {
  const refuse = (): never => {
    const message = 'this is answered by code of the configuration over REST'
    throw new ApiError('ForbiddenError', 'Forbidden').because({ message })
  }
  return Object.fromEntries(fields.map((field) => [field, { policies: [refuse] }]))
}

interface Program {
  readonly hooks: ProgramHooks
  readonly name: string
  readonly path: DiagnosticPath
}

/** Plugins first, then the file, then the program. */
function listPrograms({ config, own, hooks, report }: CustomizeOptions, cms: UserCms): readonly Program[] {
  const programs: Program[] = []
  for (const { name, plugin, settings } of own.plugins) {
    if (plugin.hooks === undefined) continue
    const path = ['plugins', name, 'resolve']
    try {
      const value: unknown = plugin.hooks({ cms, settings })
      if (isRecord(value)) programs.push({ hooks: value, name: `the plugin ${name}`, path })
      else report(createWrongKind(path, 'hooks() returns { register, bootstrap, lifecycles }', value))
    } catch (fault) {
      const message = `hooks() of the plugin "${name}" failed: ${String(fault)}`
      report({ code: 'USR009', severity: 'error', path, message })
    }
  }
  if (config.extensions !== undefined) {
    const path = ['extensions']
    const value = own.code.exported(config.extensions)
    if (isRecord(value)) programs.push({ hooks: value, name: config.extensions, path })
    else if (value !== undefined)
      report(createWrongKind(path, 'extensions are { register, bootstrap, lifecycles }', value))
  }
  if (Object.keys(hooks).length > 0) programs.push({ hooks, name: 'the program', path: [] })
  return programs
}

function extensionOfFile(extension: unknown, path: DiagnosticPath, { code }: OwnCode): UserExtension {
  if (typeof extension === 'string') return { extension: code.exported(extension), name: extension, path }
  const { resolvers, ...rest } = extension as { readonly resolvers?: string }
  const found = resolvers === undefined ? {} : { resolvers: code.exported(resolvers) }
  return { extension: { ...rest, ...found }, name: resolvers ?? 'typeDefs', path }
}
