// One state of the file, ready to answer requests. Immutable; its caches are dropped with it. `current-app.ts` holds the
// one that answers.

import type { Handler } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Feed } from '../plugins/feed.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import type { Content } from '../write/content.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { SeedSource } from '../write/seed/seed-source.ts'
import type { ValidConfig } from './check-config.ts'

export interface App extends ValidConfig {
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
  /** The GraphQL schema in SDL; undefined when the graphql plugin is off. Call it after `prepare`. */
  schemaDefinition(): string | undefined
  /** The bearer token of a user, by name or e-mail address; undefined without such a user, or if nobody logs in. */
  userToken(identifier: string): Promise<string | undefined>
  /** The path of the GraphQL endpoint; undefined when the plugin is off. */
  readonly graphqlEndpoint: string | undefined
  /** Every committed change; undefined where the file asks for no events. */
  readonly feed: Feed | undefined

  // In the order of its life.

  /** Returns the errors that make the app unusable; runs before a table is changed. */
  check(): Promise<readonly Diagnostic[]>
  /** Runs once the tables exist, before the first request. */
  prepare(): Promise<void>
  /** Runs users' `bootstrap`; returns its errors. */
  bootstrap(): Promise<readonly Diagnostic[]>
  /** Runs when it answers requests. */
  begin(): void
  /** Memory only: runs when the content was put back to another moment. */
  restored(): void
  /** Runs when it answers no new requests any more. Resolves when its own work has ended. */
  retire(): Promise<void>
  /** Runs after the last answer was sent. */
  dispose(): void
}
