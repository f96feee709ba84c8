// Defines typed tokens for the services of plugins and the server. A user of a service does not know its
// provider, and works without it.

import type { AttemptStore } from '../access/attempt-store.ts'
import type { BindablePermissions } from '../access/bind-permissions.ts'
import type { UserTokens } from '../access/json-web-token.ts'
import type { SubscriptionLimits } from '../access/subscription-limits.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { Idempotency } from '../operations/idempotency.ts'
import type { ResponseCache } from '../operations/response-cache.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { SeedSource } from '../write/seed/seed-source.ts'
import type { AgentTool } from './agent-tools.ts'
import type { ConsoleLogins } from './console-logins.ts'
import type { Feed } from './feed.ts'
import type { GraphqlCustomization } from './graphql-customization.ts'
import type { CreateGraphqlExtension } from './graphql-extension.ts'
import type { Mailer, Outbox } from './mailer.ts'
import type { MemoryFiles } from './memory-files.ts'

export interface Service<T> {
  /** Only plugins that are activated later receive the value. */
  provide(value: T): ServiceValue
  /** In the order of provision. */
  allIn(services: Services): readonly T[]
}

export type ServiceValue = (services: Services) => void

export type Services = Readonly<Record<never, never>>

function createService<T>(): Service<T> {
  const values = new WeakMap<Services, readonly T[]>()
  const allIn = (services: Services): readonly T[] => values.get(services) ?? []
  return { allIn, provide: (value) => (services) => values.set(services, [...allIn(services), value]) }
}

export const MAILER = createService<Mailer>()
export const FILE_INTAKE = createService<FileIntake>()
export const GRAPHQL_EXTENSION = createService<CreateGraphqlExtension>()
/** In SDL; available after `check`. */
export const SCHEMA_DEFINITION = createService<() => string>()
export const SEED_SOURCE = createService<SeedSource>()
/**
 * Issues a user's bearer token without a password, by name or e-mail address; undefined if the user is
 * unknown.
 */
export const USER_TOKEN = createService<(identifier: string) => Promise<string | undefined>>()
/** Logins of the console; only if a role of the file may use it. */
export const CONSOLE_LOGINS = createService<ConsoleLogins>()
/** Signs and verifies tokens for users' code; only if logins are not sessions. */
export const TOKEN_SIGNER = createService<Pick<UserTokens, 'sign' | 'verify'>>()
/** The settings of users, under Strapi's names. */
export const USER_SETTINGS = createService<Readonly<Record<string, unknown>>>()
/** Every committed change, in order. */
export const FEED = createService<Feed>()
export const GRAPHQL_ENDPOINT = createService<string>()

// Services of the server, which always exist.

/** Mails of the `log` provider, stored for the life of the process. */
export const OUTBOX = createService<Outbox>()
/** Files of the `memory` provider, stored for the life of the process. */
export const MEMORY_FILES = createService<MemoryFiles>()
/** Counts of rate limits, which outlive an app. */
export const ATTEMPTS = createService<AttemptStore>()
/** Resolves a reference such as `./file.ts#name`. */
export const USER_CODE = createService<(reference: string) => unknown>()
export const GRAPHQL_CUSTOMIZATION = createService<GraphqlCustomization>()
/** Undefined if the file does not declare the role. */
export const ROLE_PERMISSIONS = createService<(role: string) => BindablePermissions | undefined>()
/** Undefined if metrics are off. */
export const METRICS = createService<Metrics>()
/** Counts subscriptions over all APIs. */
export const SUBSCRIPTION_LIMITS = createService<SubscriptionLimits>()
/** Repeats responses to requests with the same `Idempotency-Key`. */
export const IDEMPOTENCY = createService<Idempotency>()
/** Shared by all APIs, within one budget. */
export const RESPONSE_CACHE = createService<ResponseCache>()
/** Tools besides the operations; empty where the file of the server may not be edited. */
export const AGENT_TOOLS = createService<() => Promise<readonly AgentTool[]>>()
