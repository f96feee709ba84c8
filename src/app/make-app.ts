// Makes an app of a valid configuration, or returns the errors in users' code. It changes nothing.

import { listGrantedActions } from '../access/permissions.ts'
import { attemptTable } from '../access/stored/attempt-table.ts'
import { tokenUseTable } from '../access/stored/token-use-table.ts'
import { createSubscriptionLimits } from '../access/subscription-limits.ts'
import { createOperationInputs } from '../describe/operation-inputs.ts'
import { createGateway } from '../http/gateway.ts'
import type { Route } from '../http/route.ts'
import { createRouter, routeHandler } from '../http/router.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { waitForTurn } from '../lib/next-turn.ts'
import { createIdempotency } from '../operations/idempotency.ts'
import type { OperationCalls } from '../operations/operation-calls.ts'
import { createOperationTable } from '../operations/operation-table.ts'
import { createPipeline } from '../operations/pipeline.ts'
import { requestKeyTable } from '../operations/request-key-table.ts'
import { createResponseCache } from '../operations/response-cache.ts'
import type { PluginLog } from '../plugins/plugin.ts'
import { activatePlugins } from '../plugins/plugin-host.ts'
import {
  AGENT_TOOLS,
  ATTEMPTS,
  CONSOLE_LOGINS,
  FEED,
  FILE_INTAKE,
  GRAPHQL_CUSTOMIZATION,
  GRAPHQL_ENDPOINT,
  IDEMPOTENCY,
  MAILER,
  MEMORY_FILES,
  METRICS,
  OUTBOX,
  RESPONSE_CACHE,
  ROLE_PERMISSIONS,
  SCHEMA_DEFINITION,
  SEED_SOURCE,
  SUBSCRIPTION_LIMITS,
  TOKEN_SIGNER,
  USER_CODE,
  USER_SETTINGS,
  USER_TOKEN,
} from '../plugins/services.ts'
import { createBatchRoute } from '../rest/batch-route.ts'
import { createEntryEncoder } from '../rest/entry-encoder.ts'
import { createOperationCalls } from '../rest/operation-routes.ts'
import { parseFlatParams } from '../rest/parse-flat-params.ts'
import { createParseListParams } from '../rest/parse-list-params.ts'
import { parseParams } from '../rest/parse-params.ts'
import { parseQueryString } from '../rest/query-string.ts'
import { strapi4Shape, strapi5Shape } from '../rest/response-shape.ts'
import { createRestRoutes } from '../rest/rest-routes.ts'
import { guardWithOptions, type OwnRoute, ownRoutes, surroundRequests } from '../rest/route-options.ts'
import { buildLayout } from '../storage/sql/build-layout.ts'
import { type Customization, customize } from '../user-code/customize.ts'
import { valueTable } from '../user-code/value-table.ts'
import { createContent } from '../write/create-content.ts'
import type { Lifecycle } from '../write/lifecycle.ts'
import type { ChangeRecorder } from '../write/recorded-changes.ts'
import type { App } from './app.ts'
import type { ValidConfig } from './check-config.ts'
import type { Environment } from './environment.ts'
import { makeAccess } from './make-access.ts'

interface AppOutcome {
  readonly app: App | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export async function makeApp(valid: ValidConfig, environment: Environment): Promise<AppOutcome> {
  const { hooks, log: main } = environment
  const log = {
    info: (message: string) => main.info(message),
    warn: (message: string) => main.warn(message),
    error: (message: string) => main.error(message),
  }
  const diagnostics: Diagnostic[] = []
  const report = (fault: Diagnostic) => void diagnostics.push(fault)
  const customization = await customize({ ...valid, hooks, log, report })
  if (diagnostics.some(isError)) return { app: undefined, diagnostics }
  await waitForTurn()
  const app = assemble(valid, environment, customization, log)
  await waitForTurn()
  diagnostics.push(...(await app.check()))
  return { app: diagnostics.some(isError) ? undefined : app, diagnostics }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function assemble(
  valid: ValidConfig,
  environment: Environment,
  customization: Customization,
  log: PluginLog,
): App {
  const { config, model, plugins, actions } = valid
  const { database, monitoring, now, hashPassword, testing, clientWrites } = environment
  const layout = buildLayout(model)
  const lifecycles: Lifecycle[] = []
  const recorders: ChangeRecorder[] = []
  const ownTables = new Set([attemptTable, tokenUseTable, requestKeyTable, valueTable])
  let isLive = false
  const content = createContent({
    model,
    layout,
    database,
    hashPassword,
    now,
    lifecycles,
    recorders,
    surroundDocuments: customization.surroundDocuments,
    // Excludes the writes of a start, a reload or the seed.
    onWrite() {
      if (isLive) clientWrites.note()
    },
    costLimit: config.rest.limits.cost,
    writeRows: config.rest.limits.writeRows,
    strict: config.rest.strict,
    strictRelations: config.rest.strictRelations,
  })
  const operations = createOperationTable(model, {
    content,
    writeRows: config.rest.limits.writeRows,
    granted: listGrantedActions(config.auth, actions),
  })
  const { guard, strategies, permissions, readingRules } = makeAccess(valid, environment)
  const onFault = (error: unknown, requestId: string | undefined): void =>
    environment.log.error({ error, requestId }, 'a request failed by an internal error')
  const { cache, compression } = config.rest
  const responses = createResponseCache({ budget: cache, compresses: compression })
  const idempotency = createIdempotency(environment.requestKeys, now)
  // Built with the first call: most apps of a file that is edited never need them.
  let operationCalls: OperationCalls | undefined
  let describeInput: ReturnType<typeof createOperationInputs> | undefined
  const provided = [
    OUTBOX.provide(environment.outbox),
    MEMORY_FILES.provide(environment.memoryFiles),
    ATTEMPTS.provide(environment.attempts),
    USER_CODE.provide(customization.exported),
    GRAPHQL_CUSTOMIZATION.provide(customization.graphql),
    ROLE_PERMISSIONS.provide((role) => permissions.get(role)),
    IDEMPOTENCY.provide(idempotency),
    RESPONSE_CACHE.provide(responses),
    ...(environment.agentTools === undefined ? [] : [AGENT_TOOLS.provide(environment.agentTools)]),
    SUBSCRIPTION_LIMITS.provide(
      createSubscriptionLimits({ ...config.server.limits.subscriptions, cost: config.rest.limits.cost }),
    ),
    ...(monitoring === undefined ? [] : [METRICS.provide(monitoring.metrics)]),
  ]
  const restGuard = customization.used ? guardWithOptions(guard, customization) : guard
  const parseListParams = createParseListParams(model, config.rest)
  const { activations, get, getAll } = activatePlugins(plugins, provided, {
    model,
    content,
    operations,
    callable: {
      get: () => getCalls(),
      describeInput(type, shape) {
        describeInput ??= createOperationInputs(model)
        return describeInput(type, shape)
      },
    },
    guard,
    routeGuard: restGuard,
    actions,
    prefix: config.rest.prefix,
    parseQuery: parseQueryString,
    parseParams: (query, type) => parseParams(query, config.rest, { type, place: 'entry' }),
    parseListParams,
    encodeEntry: (plan) => createEntryEncoder(plan, model.apiVersion.documents ? strapi5Shape : strapi4Shape),
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
    for (const table of activation.tables ?? []) ownTables.add(table)
    if (activation.recorder !== undefined) recorders.push(activation.recorder)
  }
  // Users' hooks come last, so that they see the changes of plugins.
  lifecycles.push(...customization.lifecycles)
  const addLifecycle = (lifecycle: Lifecycle): void => void lifecycles.push(lifecycle)
  customization.attach({
    content,
    operations,
    mailer: get(MAILER),
    files: get(FILE_INTAKE),
    signer: get(TOKEN_SIGNER),
    userSettings: () => get(USER_SETTINGS),
    parseListParams,
    addLifecycle,
  })
  const surround = customization.used
    ? surroundRequests(customization.middlewares, guard, customization)
    : undefined
  const files = get(FILE_INTAKE)
  const ofCode = (own: readonly OwnRoute[]): readonly Route[] =>
    ownRoutes(own, guard, customization).map((route) => ({ ...route, face: 'code' }))
  const routes = withOwn(ofCode(customization.routes), [
    ...ofCode(customization.pluginRoutes),
    ...createRestRoutes(model, operations, createPipeline(restGuard, responses, idempotency), {
      ...config.rest,
      files,
    }),
    ...activations.flatMap((activation) => activation.routes ?? []),
  ])
  function getCalls(): OperationCalls {
    operationCalls ??= createOperationCalls({
      ...{ model, guard, prefix: config.rest.prefix },
      routes:
        surround === undefined
          ? routes
          : routes.map((route) => ({ ...route, handler: surround(route.handler) })),
    })
    return operationCalls
  }
  const batch = createBatchRoute({
    ...{ content, guard, idempotency, prefix: config.rest.prefix },
    calls: getCalls,
  })
  const served = withOwn(routes, [batch])
  const answer = routeHandler(createRouter(served))
  const handler = createGateway({
    answer: surround === undefined ? answer : surround(answer),
    cors: config.server.cors,
    production: config.server.environment === 'production',
    explains: config.server.environment === 'development',
    notReady: environment.notReady,
    metrics: monitoring?.endpoint,
    onFault,
  })
  let retiring: Promise<void> | undefined
  return {
    ...valid,
    layout,
    ownTables,
    content,
    operations,
    files,
    seedSources: getAll(SEED_SOURCE),
    now,
    handler,
    routes: served,
    userToken: async (identifier) => get(USER_TOKEN)?.(identifier),
    consoleLogins: get(CONSOLE_LOGINS),
    callers: guard,
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
    bootstrap: customization.bootstrap,
    begin() {
      isLive = true
      customization.begin()
      for (const activation of activations) activation.begin?.()
    },
    goLive: customization.begin,
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
  const buildKey = ({ method, path }: Route): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`
  const taken = new Set(own.map(buildKey))
  return [...own, ...others.filter((route) => !taken.has(buildKey(route)))]
}
