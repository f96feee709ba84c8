// Declares the embedding interface.

import type { Overrides } from '../config/apply-overrides.ts'
import type { RawTroubleRule } from '../config/normalize-trouble.ts'
import type { ErrorClasses } from '../lib/errors/error-classes.ts'
import type { OutboxMail } from '../plugins/mailer.ts'
import type { Snapshot } from '../storage/database.ts'
import type { RecordedRequest } from '../testing/requests/request-history.ts'
import type { EntriesFor, MadeFor, MakingFor } from '../user-code/entries.ts'
import type { CodeOptions } from '../user-code/own-code.ts'
import type { ProgramHooks } from '../user-code/user-lifecycles.ts'
import type { Caller, GraphqlResult } from './callers.ts'
import type { ChangesOptions, CmsChange } from './follow-changes.ts'

export interface CmsOptions extends ProgramHooks, CodeOptions {
  /** Whether edits of the file are followed. */
  readonly watch?: boolean
  /** In place of the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Settings of `database:` that override the file's. */
  readonly database?: NonNullable<Overrides['database']>
  /** By default uWebSockets.js if it loads and passes its self-test, else node:http. */
  readonly transport?: 'uws' | 'node'
  /** By default the machine's clock. */
  readonly clock?: () => Date
  /**
   * Makes password hashes cheap and insecure, and limits login attempts only if the file says so. Rejects
   * with TypeError in production.
   */
  readonly testing?: boolean
  /** By default nothing is logged. */
  readonly log?: (line: string) => void
}

export interface Cms extends AsyncDisposable {
  /** Takes a path (`/api/articles`), a URL or a Request; uses no socket. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Acts as a user by name or e-mail address, a role, or an API token (its name or text), without a login.
   * The `fetch` rejects with TypeError for an unknown caller.
   */
  as(caller: Caller): Cms['fetch']
  /** `as`: the caller in whose name it is sent. */
  graphql<T = Record<string, unknown>>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly as?: Caller },
  ): Promise<GraphqlResult<T>>
  /** By milliseconds, or by a duration like `90min` or `3d`. */
  advance(by: string | number): void
  /** Port 0 picks a free one. */
  listen(port?: number, host?: string): Promise<ListenResult>
  /** The last 1000 requests, the newest last. `restore` empties it. */
  readonly requests: readonly RecordedRequest[]
  /**
   * Replaces the file's `server.trouble`; an empty list stops it. Throws TypeError in production, RangeError
   * for an invalid duration.
   */
  trouble(rules: readonly RawTroubleRule[], options?: { readonly seed?: number }): void
  /**
   * Creates an entry and its required relations; required attributes get plausible values, the same at each
   * run. Rejects like `entries().create`.
   */
  make<K extends string>(type: K, data?: MakingFor<K>): Promise<MadeFor<K>>
  /** Reads and writes without permission checks; takes `restaurant` or `api::restaurant.restaurant`. */
  entries<K extends string>(type: K): EntriesFor<K>
  /**
   * Undoes all writes of `task` if it rejects. It has ten seconds; in an embedded database other requests wait for it.
   */
  transaction<T>(task: (transaction: Pick<Cms, 'entries'>) => Promise<T>): Promise<T>
  /**
   * Calls the listener with each committed change (`*`: of all types), in order, one at a time. Resolves with
   * a function that ends it; rejects with TypeError if there are no events.
   */
  on(type: string, listener: (change: CmsChange) => unknown): Promise<() => void>
  /** Iterates until the iteration is left or the CMS is closed. */
  changes(options?: ChangesOptions): AsyncIterableIterator<CmsChange>
  /** The error classes for users' code to throw. */
  readonly errors: ErrorClasses
  /** Mails of the email plugin's `log` provider, the newest last. */
  readonly outbox: readonly OutboxMail[]
  /** Copies a memory database, uploaded files in memory, mails and the counters of limits. */
  snapshot(): Snapshot
  /** Takes time in proportion to what has changed; the clock goes on. */
  restore(snapshot: Snapshot): void
  /**
   * When the file has errors, rejects with ConfigError and keeps the old configuration. `data` resets a
   * memory database to the file's `data`, even without an edit.
   */
  reload(request?: { readonly data?: boolean }): Promise<void>
  /**
   * Opens an independent instance with the current content. Users' code is loaded again and its `bootstrap`
   * runs; the functions of `options` are shared. Memory databases only.
   */
  fork(): Promise<Cms>
  close(): Promise<void>
}

interface ListenResult {
  readonly port: number
  readonly url: string
  /** Contains the key of this start; undefined unless the file says `console: true`. */
  readonly consoleUrl?: string
}
