// Builds one immutable state of the file that answers requests; its caches are dropped with it.

import type { Guard } from '../access/guard.ts'
import type { Handler } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { ConsoleLogins } from '../plugins/console-logins.ts'
import type { Feed } from '../plugins/feed.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import type { Table } from '../storage/sql/layout.ts'
import type { Content } from '../write/content.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { SeedSource } from '../write/seed/seed-source.ts'
import type { ValidConfig } from './check-config.ts'

export interface App extends ValidConfig {
  readonly layout: ModelLayout
  /** Besides those of content-types. */
  readonly ownTables: ReadonlySet<Table>
  readonly content: Content
  readonly operations: OperationTable
  readonly files: FileIntake | undefined
  readonly seedSources: readonly SeedSource[]
  /** Epoch milliseconds. */
  now(): number
  readonly handler: Handler
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  /** Undefined without the graphql plugin. Call it after `prepare`. */
  schemaDefinition(): string | undefined
  /** By name or e-mail address; undefined without such a user, or when users cannot log in. */
  userToken(identifier: string): Promise<string | undefined>
  /** Undefined if no role may use the console. */
  readonly consoleLogins: ConsoleLogins | undefined
  /** For the console, which carries the tokens of its users. */
  readonly callers: Pick<Guard, 'carryToken' | 'getCaller'>
  readonly graphqlEndpoint: string | undefined
  readonly feed: Feed | undefined

  /** Returns the errors that make the app unusable; runs before a table is changed. */
  check(): Promise<readonly Diagnostic[]>
  prepare(): Promise<void>
  /** Returns the errors of users' `bootstrap`. */
  bootstrap(): Promise<readonly Diagnostic[]>
  begin(): void
  /** The part of `begin` that is for users' code alone, which then has the global `strapi`. */
  goLive(): void
  /** Memory databases only: runs after a restore. */
  restored(): void
  /** Resolves when the app's own work has ended. */
  retire(): Promise<void>
  /** Runs after the last response was sent. */
  dispose(): void
}
