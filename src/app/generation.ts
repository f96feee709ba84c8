// One state of the configuration, compiled: everything that answers a request. Immutable, with caches that go when
// it goes; `live.ts` says which one is current.

import type { Config } from '../config/config.ts'
import type { Content } from '../content/content.ts'
import type { FileIntake } from '../content/file-intake.ts'
import type { SeedSource } from '../content/seed-source.ts'
import type { AccessSummary } from '../describe/access-summary.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Handler } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { Model } from '../model/model.ts'
import type { ModelLayout } from '../sql/build-layout.ts'

export interface Generation {
  readonly config: Config
  readonly model: Model
  readonly layout: ModelLayout
  readonly content: Content
  /** Where files go that come with entries; undefined where none are taken. */
  readonly files: FileIntake | undefined
  readonly seedSources: readonly SeedSource[]
  readonly handler: Handler
  /** Every address there is. */
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  /** What anybody may reach, to compare with the next generation's. */
  readonly access: AccessSummary
  /** The GraphQL schema in its definition language, where that plugin is on; after `prepare`. */
  schemaDefinition(): string | undefined
  /** Answers what of it cannot be made; runs before a table is touched. */
  check(): Promise<readonly Diagnostic[]>
  /** Runs when its tables exist, before it takes requests. */
  prepare(): Promise<void>
  /** Runs when its last answer was sent. */
  dispose(): void
}
