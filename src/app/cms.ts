// The embedding interface: what a program gives and gets.

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
  /** Variables for `${…}` in the file, in place of the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Settings of `database:` that override the file's. */
  readonly database?: NonNullable<Overrides['database']>
  /** The transport of `listen`; by default uWebSockets.js if it loads and passes its self-test, else node:http. */
  readonly transport?: 'uws' | 'node'
  /** The time for everything that the API does; by default the machine's. */
  readonly clock?: () => Date
  /**
   * For tests: hashes of passwords are cheap, and easy to break; tries to log in are limited only where the file says
   * so. Rejects with TypeError in production.
   */
  readonly testing?: boolean
  /** Called with each line of the log; by default nothing is logged. */
  readonly log?: (line: string) => void
}

export interface Cms extends AsyncDisposable {
  /** Sends a request without a socket; takes a path (`/api/articles`), a URL or a Request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * A `fetch` in somebody's name, without a login: a user by name or e-mail address, `{ role }` without a user, or
   * `{ token }`: an API token by its name in the file, or any token's text. It rejects with TypeError where there is no
   * such caller.
   */
  as(caller: Caller): Cms['fetch']
  /** Sends a GraphQL request; `as`: in whose name. */
  graphql<T = Record<string, unknown>>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly as?: Caller },
  ): Promise<GraphqlResult<T>>
  /** Puts the clock forward: by milliseconds, or by a duration like `90min` or `3d`. */
  advance(by: string | number): void
  /** Serves over HTTP as well; port 0 picks a free one. */
  listen(port?: number, host?: string): Promise<ListenResult>
  /** Requests by `fetch` and over sockets, the newest last; the last 1000. `restore` empties it. */
  readonly requests: readonly RecordedRequest[]
  /**
   * Disturbs answers as `server.trouble` of the file would, in place of it; without rules, none are. Throws TypeError in
   * production, RangeError for a duration that is none.
   */
  trouble(rules: readonly RawTroubleRule[], options?: { readonly seed?: number }): void
  /**
   * Creates an entry whose required attributes and relations have plausible values, the same at each run, unless `data`
   * has them. Entries that it must be related to are made as well. Rejects like `entries().create`.
   */
  make<K extends string>(type: K, data?: MakingFor<K>): Promise<MadeFor<K>>
  /** Entries of a content-type (`restaurant` or `api::restaurant.restaurant`), without permission checks. */
  entries<K extends string>(type: K): EntriesFor<K>
  /**
   * Calls the listener with each committed change of a content-type (`*`: of all), in order; the next one when it is
   * done. Resolves when it listens, with what ends it. Rejects with TypeError where there are no events.
   */
  on(type: string, listener: (change: CmsChange) => unknown): Promise<() => void>
  /** Iterates over committed changes, in order, until the iteration is left or the CMS is closed. */
  changes(options?: ChangesOptions): AsyncIterableIterator<CmsChange>
  /** The error classes for users' code to throw. */
  readonly errors: ErrorClasses
  /** Mails of the email plugin's `log` provider, the newest last. */
  readonly outbox: readonly OutboxMail[]
  /** A copy of the content of a memory database, of uploaded files in memory, mails and the counters of limits. */
  snapshot(): Snapshot
  /** Puts all of it back as it was at the snapshot, at the cost of what has changed; the clock goes on. */
  restore(snapshot: Snapshot): void
  /**
   * Reads the file again. When it has errors, rejects with ConfigError and keeps the old configuration. With `data`,
   * resets the content of a memory database to the file's `data`, even when the file was not edited.
   */
  reload(request?: { readonly data?: boolean }): Promise<void>
  /**
   * Opens a second instance with the content of this moment, of which neither sees what the other does from now on. Users'
   * code is loaded again and its `bootstrap` runs; the functions of `options` are the same. Memory databases only.
   */
  fork(): Promise<Cms>
  close(): Promise<void>
}

interface ListenResult {
  readonly port: number
  readonly url: string
  /** Of the console, with the key of this start; undefined unless the file says `console: true`. */
  readonly consoleUrl?: string
}
