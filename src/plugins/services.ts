// What one plugin provides for others to use, or the runtime for a plugin: each by a token that carries its type. Who uses
// a service does not know who provides it, and does without it where nobody does.

import type { Permissions } from '../auth/principal.ts'
import type { TryStore } from '../auth/try-store.ts'
import type { FileIntake } from '../content/file-intake.ts'
import type { SeedSource } from '../content/seed-source.ts'
import type { GraphqlCustomization } from './graphql-customization.ts'
import type { OfferGraphql } from './graphql-extension.ts'
import type { Mailer, Outbox } from './mailer.ts'
import type { MemoryFiles } from './memory-files.ts'

export interface Service<T> {
  /** To be used by the plugins that are activated later. */
  provide(value: T): Provided
  /** Everything that was provided in a generation, in that order. */
  allIn(services: Services): readonly T[]
}

export type Provided = (services: Services) => void

/** Those of one generation: a key, nothing more. */
export type Services = Readonly<Record<never, never>>

function createService<T>(): Service<T> {
  const values = new WeakMap<Services, readonly T[]>()
  const allIn = (services: Services): readonly T[] => values.get(services) ?? []
  return { allIn, provide: (value) => (services) => values.set(services, [...allIn(services), value]) }
}

// Of plugins.

export const MAILER = createService<Mailer>()
/** Takes the files of requests. */
export const FILE_INTAKE = createService<FileIntake>()
export const GRAPHQL_OFFER = createService<OfferGraphql>()
/** The GraphQL schema in its definition language; asked for when `check` is done. */
export const SCHEMA_DEFINITION = createService<() => string>()
export const SEED_SOURCE = createService<SeedSource>()

// Of the runtime: always there.

/** Mails of the `log` provider, kept for as long as the process lives. */
export const OUTBOX = createService<Outbox>()
/** Files of the `memory` provider, kept as long. */
export const MEMORY_FILES = createService<MemoryFiles>()
/** Where rate limits count: it outlives a generation. */
export const TRIES = createService<TryStore>()
/** What a reference to code of the user's (`./file.ts#name`) stands for. */
export const USER_CODE = createService<(reference: string) => unknown>()
/** What users' code asks of the GraphQL schema. */
export const GRAPHQL_CUSTOMIZATION = createService<GraphqlCustomization>()
/** What the file allows a role; undefined for a role that the file does not know. */
export const ROLE_PERMISSIONS = createService<(role: string) => Permissions | undefined>()
