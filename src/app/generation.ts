// One compiled state of the configuration: everything that is needed to answer requests. Immutable; its caches are
// dropped with it. `live.ts` holds the current generation.

import type { Config } from '../config/config.ts'
import type { Content } from '../content/content.ts'
import type { FileIntake } from '../content/file-intake.ts'
import type { SeedSource } from '../content/seed/seed-source.ts'
import type { AccessSummary } from '../describe/access-summary.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Handler } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { Model } from '../model/model.ts'
import type { Feed } from '../plugins/feed.ts'
import type { ModelLayout } from '../sql/build-layout.ts'

export interface Generation {
  readonly config: Config
  readonly model: Model
  readonly layout: ModelLayout
  readonly content: Content
  /** Stores files that are sent with entries; undefined when no plugin accepts files. */
  readonly files: FileIntake | undefined
  readonly seedSources: readonly SeedSource[]
  /** Epoch milliseconds. */
  now(): number
  readonly handler: Handler
  /** All routes. */
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  /** Who may access what; compared with the next generation's. */
  readonly access: AccessSummary
  /** The GraphQL schema in SDL; undefined when the graphql plugin is off. Call it after `prepare`. */
  schemaDefinition(): string | undefined
  /** Returns the errors that make the generation unusable; runs before a table is changed. */
  check(): Promise<readonly Diagnostic[]>
  /** The bearer token of a user, by name or e-mail address; undefined if there is none, or if nobody logs in. */
  userToken(identifier: string): Promise<string | undefined>
  /** The path of the GraphQL endpoint; undefined when the plugin is off. */
  readonly graphqlEndpoint: string | undefined
  /** Runs once the tables exist, before the first request. */
  prepare(): Promise<void>
  /** Every committed change; undefined where no events are asked for. */
  readonly feed: Feed | undefined
  /** Runs when it answers requests. */
  begin(): void
  /** Memory only: runs when the content was put back to another moment. */
  restored(): void
  /** Runs when it answers no new requests any more. Resolves when the work of its own has ended. */
  retire(): Promise<void>
  /** Runs after the last answer was sent. */
  dispose(): void
}
