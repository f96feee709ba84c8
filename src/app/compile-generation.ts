// Compiles a checked configuration into a generation that can answer requests. Its only side effects are on the
// database, so that errors appear before the swap.

import { createApiTokenStrategy } from '../auth/api-tokens.ts'
import type { AttemptStore } from '../auth/attempt-store.ts'
import { bindable, unruled } from '../auth/bind-permissions.ts'
import { createCallerLimit } from '../auth/caller-limit.ts'
import { createExternalIdentity } from '../auth/external-identity.ts'
import type { AuthStrategy } from '../auth/guard.ts'
import { createGuard } from '../auth/guard.ts'
import { createPermissions } from '../auth/principal.ts'
import { readingRulesOf } from '../auth/reading-rules.ts'
import { createRoleStrategy } from '../auth/role-tokens.ts'
import { grantedRoles, grantedToken } from '../auth/rules.ts'
import { createSubscriptionLimits } from '../auth/subscription-limits.ts'
import type { Config } from '../config/config.ts'
import { createContent } from '../content/create-content.ts'
import type { Lifecycle } from '../content/lifecycle.ts'
import type { ChangeRecorder } from '../content/recorded-changes.ts'
import type { Database } from '../databases/database.ts'
import { accessOf } from '../describe/access-summary.ts'
import { createGateway, type NotReady } from '../http/gateway.ts'
import { createKeptAnswers } from '../http/kept-answers.ts'
import type { Route } from '../http/route.ts'
import { createRouter } from '../http/router.ts'
import type { Model } from '../model/model.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { createOperationTable } from '../operations/operation-table.ts'
import { createPipeline } from '../operations/pipeline.ts'
import type { Outbox } from '../plugins/mailer.ts'
import type { MemoryFiles } from '../plugins/memory-files.ts'
import type { EnabledPlugin, PluginLog } from '../plugins/plugin.ts'
import { activatePlugins } from '../plugins/plugin-host.ts'
import {
  ATTEMPTS,
  FEED,
  FILE_INTAKE,
  GRAPHQL_CUSTOMIZATION,
  GRAPHQL_ENDPOINT,
  KEPT_ANSWERS,
  MEMORY_FILES,
  METRICS,
  OUTBOX,
  ROLE_PERMISSIONS,
  SCHEMA_DEFINITION,
  SEED_SOURCE,
  SUBSCRIPTION_LIMITS,
  USER_CODE,
  USER_TOKEN,
} from '../plugins/services.ts'
import type { RequestWatch } from '../request-log/request-watch.ts'
import { strapi4Shape, strapi5Shape } from '../rest/answer-shape.ts'
import { createEntryEncoder } from '../rest/entry-encoder.ts'
import { parseFlatParams } from '../rest/parse-flat-params.ts'
import { createParseListParams } from '../rest/parse-list-params.ts'
import { parseParams } from '../rest/parse-params.ts'
import { parseQueryString } from '../rest/query-string.ts'
import { restRoutes } from '../rest/rest-routes.ts'
import { guardWithOptions, ownRoutes } from '../rest/route-options.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import type { Customization } from '../user-code/customize.ts'
import type { Generation } from './generation.ts'
import type { Instance } from './instance.ts'

export interface GenerationParts {
  readonly config: Config
  readonly model: Model
  readonly plugins: readonly EnabledPlugin[]
  readonly actions: ReadonlySet<string>
  readonly layout: ModelLayout
  readonly database: Database
  /** Why the service is not ready, or undefined when it is. */
  notReady(): NotReady | undefined | Promise<NotReady | undefined>
  onFault(fault: unknown, requestId: string | undefined): void
  readonly outbox: Outbox
  readonly memoryFiles: MemoryFiles
  readonly tries: AttemptStore
  readonly log: PluginLog
  /** Undefined when nobody looks on while requests are answered. */
  readonly requestWatch: RequestWatch | undefined
  /** Undefined when nothing is measured. */
  readonly monitoring: Monitoring | undefined
  /** Called with the name of the API token of every request that has one. */
  tokenUsed(name: string): void
  readonly customization: Customization
  readonly instance: Instance
  /** Called within each transaction that writes. */
  onWrite(): void
}

/** A route of the author replaces a generated one with the same method and path. */
function withOwn(own: readonly Route[], others: readonly Route[]): readonly Route[] {
  const keyOf = ({ method, path }: Route): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`
  const taken = new Set(own.map(keyOf))
  return [...own, ...others.filter((route) => !taken.has(keyOf(route)))]
}

export function compileGeneration(parts: GenerationParts): Generation {
  const { config, model, plugins, actions, layout, database, customization } = parts
  const { now, hashPassword, testing, roleTokens } = parts.instance
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
    onWrite: parts.onWrite,
    costLimit: config.rest.limits.cost,
    writeRows: config.rest.limits.writeRows,
    strict: config.rest.strict,
    strictRelations: config.rest.strictRelations,
  })
  const operations = createOperationTable(model, content)
  const { publicDrafts } = config.rest
  const granted = grantedRoles(config.auth, actions, model)
  const permissions = new Map(
    [...granted].map(([role, rules]) => [role, bindable(rules, publicDrafts, role, now)]),
  )
  const { apiTokens: tokens } = config.auth
  const strategies: AuthStrategy[] = [
    createApiTokenStrategy({
      tokens,
      actions,
      model,
      publicDrafts,
      now,
      standIns: roleTokens,
      used: parts.tokenUsed,
    }),
  ]
  if (roleTokens !== undefined) strategies.push(createRoleStrategy(roleTokens, permissions))
  const providers = Object.entries(config.auth.providers).map(([name, one]) => ({ name, ...one }))
  if (providers.length > 0) strategies.push(createExternalIdentity({ providers, permissions, now }))
  const { rate } = config.server.limits
  const guard = createGuard({
    nobody: permissions.get('public') ?? unruled(createPermissions(new Set(), publicDrafts)),
    strategies,
    onCaller: parts.requestWatch?.caller,
    admit: rate && createCallerLimit({ ...rate, store: parts.tries, now }),
  })
  const { cache, compression } = config.rest
  const keptAnswers = createKeptAnswers({ budget: cache, compresses: compression })
  const provided = [
    OUTBOX.provide(parts.outbox),
    MEMORY_FILES.provide(parts.memoryFiles),
    ATTEMPTS.provide(parts.tries),
    USER_CODE.provide(customization.exported),
    GRAPHQL_CUSTOMIZATION.provide(customization.graphql),
    ROLE_PERMISSIONS.provide((role) => permissions.get(role)),
    KEPT_ANSWERS.provide(keptAnswers),
    SUBSCRIPTION_LIMITS.provide(
      createSubscriptionLimits({ ...config.server.limits.subscriptions, cost: config.rest.limits.cost }),
    ),
    ...(parts.monitoring === undefined ? [] : [METRICS.provide(parts.monitoring.metrics)]),
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
    readingRules: readingRulesOf([
      ...granted.values(),
      ...tokens.map((token) => grantedToken(token, actions, model)),
    ]),
    parseFlatParams: (query, type) => parseFlatParams(query, config.rest, type),
    log: parts.log,
    onFault: parts.onFault,
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
    ...restRoutes(model, operations, createPipeline(restGuard, keptAnswers), { ...config.rest, files }),
    ...activations.flatMap((activation) => activation.routes ?? []),
  ])
  const router = createRouter(routes)
  const handler = createGateway({
    router,
    cors: config.server.cors,
    production: config.server.environment === 'production',
    explains: config.server.environment === 'development',
    notReady: parts.notReady,
    metrics: parts.monitoring?.endpoint,
    onFault: parts.onFault,
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
    access: accessOf(parts),
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
