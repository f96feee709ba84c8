// Makes a generation from a configuration without errors, or returns the errors in users' code. Its only side effects are on
// the database, so that all errors that can be found before a table is changed appear before the swap.

import { createSubscriptionLimits } from '../auth/subscription-limits.ts'
import { createContent } from '../content/create-content.ts'
import type { Lifecycle } from '../content/lifecycle.ts'
import type { ChangeRecorder } from '../content/recorded-changes.ts'
import type { Database } from '../databases/database.ts'
import { accessOf } from '../describe/access-summary.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { createGateway, type NotReady } from '../http/gateway.ts'
import { createResponseCache } from '../http/response-cache.ts'
import type { Route } from '../http/route.ts'
import { createRouter } from '../http/router.ts'
import type { Log } from '../log/create-log.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { createOperationTable } from '../operations/operation-table.ts'
import { createPipeline } from '../operations/pipeline.ts'
import type { Outbox } from '../plugins/mailer.ts'
import type { MemoryFiles } from '../plugins/memory-files.ts'
import type { PluginLog } from '../plugins/plugin.ts'
import { activatePlugins } from '../plugins/plugin-host.ts'
import {
  ATTEMPTS,
  FEED,
  FILE_INTAKE,
  GRAPHQL_CUSTOMIZATION,
  GRAPHQL_ENDPOINT,
  MEMORY_FILES,
  METRICS,
  OUTBOX,
  RESPONSE_CACHE,
  ROLE_PERMISSIONS,
  SCHEMA_DEFINITION,
  SEED_SOURCE,
  SUBSCRIPTION_LIMITS,
  USER_CODE,
  USER_TOKEN,
} from '../plugins/services.ts'
import { strapi4Shape, strapi5Shape } from '../rest/answer-shape.ts'
import { createEntryEncoder } from '../rest/entry-encoder.ts'
import { parseFlatParams } from '../rest/parse-flat-params.ts'
import { createParseListParams } from '../rest/parse-list-params.ts'
import { parseParams } from '../rest/parse-params.ts'
import { parseQueryString } from '../rest/query-string.ts'
import { restRoutes } from '../rest/rest-routes.ts'
import { guardWithOptions, ownRoutes } from '../rest/route-options.ts'
import { buildLayout } from '../sql/build-layout.ts'
import { type Customization, customize, type ProgramHooks } from '../user-code/customize.ts'
import { nextTurn } from '../util/next-turn.ts'
import type { ValidConfig } from './check-config.ts'
import type { Generation } from './generation.ts'
import { type AccessNeeds, makeAccess } from './make-access.ts'

export interface GenerationNeeds extends ValidConfig, AccessNeeds {
  /** The hooks of the program that embeds the CMS. */
  readonly hooks: ProgramHooks
  readonly database: Database
  readonly outbox: Outbox
  readonly memoryFiles: MemoryFiles
  readonly log: Log
  /** Undefined when nothing is measured. */
  readonly monitoring: Monitoring | undefined
  /** Why the service is not ready, or undefined when it is. */
  notReady(): NotReady | undefined | Promise<NotReady | undefined>
  /** Called within each transaction that writes. */
  onWrite(): void
}

export interface GenerationOutcome {
  /** Undefined when there are errors. */
  readonly generation: Generation | undefined
  readonly customization: Customization
  readonly diagnostics: readonly Diagnostic[]
}

export async function makeGeneration(needs: GenerationNeeds): Promise<GenerationOutcome> {
  const { log: main } = needs
  const log = { info: (message: string) => main.info(message), warn: (message: string) => main.warn(message) }
  const diagnostics: Diagnostic[] = []
  const customization = await customize({
    ...needs,
    log,
    report: (fault) => void diagnostics.push(fault),
  })
  if (diagnostics.some(isError)) return { generation: undefined, customization, diagnostics }
  await nextTurn()
  const generation = assemble(needs, customization, log)
  await nextTurn()
  diagnostics.push(...(await generation.check()))
  return {
    generation: diagnostics.some(isError) ? undefined : generation,
    customization,
    diagnostics,
  }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function assemble(needs: GenerationNeeds, customization: Customization, log: PluginLog): Generation {
  const { config, model, plugins, actions, database, monitoring } = needs
  const { now, hashPassword, testing } = needs.instance
  const layout = buildLayout(model)
  const lifecycles: Lifecycle[] = []
  const recorders: ChangeRecorder[] = []
  const content = createContent({
    model,
    layout,
    database,
    hashPassword,
    now,
    lifecycles,
    recorders,
    onWrite: needs.onWrite,
    costLimit: config.rest.limits.cost,
    writeRows: config.rest.limits.writeRows,
    strict: config.rest.strict,
    strictRelations: config.rest.strictRelations,
  })
  const operations = createOperationTable(model, content)
  const { guard, strategies, permissions, readingRules } = makeAccess(needs)
  const onFault = (error: unknown, requestId: string | undefined): void =>
    needs.log.error({ error, requestId }, 'a request failed by an internal error')
  const { cache, compression } = config.rest
  const responses = createResponseCache({ budget: cache, compresses: compression })
  const provided = [
    OUTBOX.provide(needs.outbox),
    MEMORY_FILES.provide(needs.memoryFiles),
    ATTEMPTS.provide(needs.tries),
    USER_CODE.provide(customization.exported),
    GRAPHQL_CUSTOMIZATION.provide(customization.graphql),
    ROLE_PERMISSIONS.provide((role) => permissions.get(role)),
    RESPONSE_CACHE.provide(responses),
    SUBSCRIPTION_LIMITS.provide(
      createSubscriptionLimits({ ...config.server.limits.subscriptions, cost: config.rest.limits.cost }),
    ),
    ...(monitoring === undefined ? [] : [METRICS.provide(monitoring.metrics)]),
  ]
  const { activations, get, getAll } = activatePlugins(plugins, provided, {
    model,
    content,
    operations,
    guard,
    actions,
    prefix: config.rest.prefix,
    parseQuery: parseQueryString,
    parseParams: (query, type) => parseParams(query, config.rest, { type, place: 'entry' }),
    parseListParams: createParseListParams(model, config.rest),
    encodeEntry: (plan) => createEntryEncoder(plan, model.dialect.documents ? strapi5Shape : strapi4Shape),
    readingRules,
    parseFlatParams: (query, type) => parseFlatParams(query, config.rest, type),
    log,
    onFault,
    now,
    hashPassword,
    testing,
  })
  for (const activation of activations) {
    strategies.push(...(activation.strategies ?? []))
    lifecycles.push(...(activation.lifecycles ?? []))
    if (activation.recorder !== undefined) recorders.push(activation.recorder)
  }
  // Users' hooks come last, so that they see the changes of plugins.
  lifecycles.push(...customization.lifecycles)
  customization.attach(content)
  const { optionsOf, readState } = customization
  const restGuard = customization.used ? guardWithOptions(guard, optionsOf, readState) : guard
  const files = get(FILE_INTAKE)
  const own = ownRoutes(customization.routes, guard, readState).map((route) => ({ ...route, face: 'code' }))
  const routes = withOwn(own, [
    ...restRoutes(model, operations, createPipeline(restGuard, responses), { ...config.rest, files }),
    ...activations.flatMap((activation) => activation.routes ?? []),
  ])
  const router = createRouter(routes)
  const handler = createGateway({
    router,
    cors: config.server.cors,
    production: config.server.environment === 'production',
    explains: config.server.environment === 'development',
    notReady: needs.notReady,
    metrics: monitoring?.endpoint,
    onFault,
  })
  let retiring: Promise<void> | undefined
  return {
    config,
    model,
    layout,
    content,
    files,
    seedSources: getAll(SEED_SOURCE),
    now,
    handler,
    routes,
    access: accessOf(needs),
    userToken: async (identifier) => get(USER_TOKEN)?.(identifier),
    graphqlEndpoint: get(GRAPHQL_ENDPOINT),
    schemaDefinition: () => get(SCHEMA_DEFINITION)?.(),
    async check() {
      const found = await Promise.all(activations.map((activation) => activation.check?.() ?? []))
      return found.flat()
    },
    async prepare() {
      for (const activation of activations) await activation.prepare?.()
    },
    feed: get(FEED),
    begin() {
      for (const activation of activations) activation.begin?.()
    },
    restored() {
      for (const activation of activations) activation.restored?.()
    },
    retire() {
      retiring ??= Promise.all(activations.map((activation) => activation.retire?.())).then(() => {})
      return retiring
    },
    dispose() {
      for (const activation of activations) activation.dispose?.()
    },
  }
}

/** A route of the author replaces a generated one with the same method and path. */
function withOwn(own: readonly Route[], others: readonly Route[]): readonly Route[] {
  const keyOf = ({ method, path }: Route): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`
  const taken = new Set(own.map(keyOf))
  return [...own, ...others.filter((route) => !taken.has(keyOf(route)))]
}
