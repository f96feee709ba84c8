// Services that plugins provide to each other, or the runtime to plugins: each has a token that carries its type. The
// user of a service does not know its provider, and works without the service when there is none.

import type { AttemptStore } from '../access/attempt-store.ts'
import type { BindablePermissions } from '../access/bind-permissions.ts'
import type { SubscriptionLimits } from '../access/subscription-limits.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { ResponseCache } from '../operations/response-cache.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { SeedSource } from '../write/seed/seed-source.ts'
import type { Feed } from './feed.ts'
import type { GraphqlCustomization } from './graphql-customization.ts'
import type { CreateGraphqlExtension } from './graphql-extension.ts'
import type { Mailer, Outbox } from './mailer.ts'
import type { MemoryFiles } from './memory-files.ts'

export interface Service<T> {
  /** Makes the value available to plugins that are activated later. */
  provide(value: T): ServiceValue
  /** All values provided in an app, in that order. */
  allIn(services: Services): readonly T[]
}

export type ServiceValue = (services: Services) => void

/** The services of one app: a key, nothing more. */
export type Services = Readonly<Record<never, never>>

function createService<T>(): Service<T> {
  const values = new WeakMap<Services, readonly T[]>()
  const allIn = (services: Services): readonly T[] => values.get(services) ?? []
  return { allIn, provide: (value) => (services) => values.set(services, [...allIn(services), value]) }
}

// Services of plugins.

export const MAILER = createService<Mailer>()
/** Receives and stores the files of requests. */
export const FILE_INTAKE = createService<FileIntake>()
export const GRAPHQL_EXTENSION = createService<CreateGraphqlExtension>()
/** The GraphQL schema in its definition language; available when `check` is done. */
export const SCHEMA_DEFINITION = createService<() => string>()
export const SEED_SOURCE = createService<SeedSource>()
/** Issues the bearer token of a user, by name or e-mail address, without a password; undefined without one. */
export const USER_TOKEN = createService<(identifier: string) => Promise<string | undefined>>()
/** Every committed change, in order. */
export const FEED = createService<Feed>()
/** The path where GraphQL is served. */
export const GRAPHQL_ENDPOINT = createService<string>()

// Services of the runtime: these always exist.

/** Mails of the `log` provider, kept for as long as the process lives. */
export const OUTBOX = createService<Outbox>()
/** Files of the `memory` provider, kept as long as the process lives. */
export const MEMORY_FILES = createService<MemoryFiles>()
/** Stores the counts of rate limits; it outlives an app. */
export const ATTEMPTS = createService<AttemptStore>()
/** Resolves a reference to user code (`./file.ts#name`). */
export const USER_CODE = createService<(reference: string) => unknown>()
/** The changes of users' code to the GraphQL schema. */
export const GRAPHQL_CUSTOMIZATION = createService<GraphqlCustomization>()
/** The permissions that the file gives a role; undefined if the file does not declare the role. */
export const ROLE_PERMISSIONS = createService<(role: string) => BindablePermissions | undefined>()
/** The metrics for `/metrics`; undefined where they are off. */
export const METRICS = createService<Metrics>()
/** Counts what listens to events, over all APIs. */
export const SUBSCRIPTION_LIMITS = createService<SubscriptionLimits>()
/** Finished answers of all APIs, within one budget. */
export const RESPONSE_CACHE = createService<ResponseCache>()
