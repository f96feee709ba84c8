// Opens a CMS within this process, for tests and other programs: from a file or an object, or quickly, as a copy of the
// start of an earlier instance of the same.

import { resolve } from 'node:path'
import { createUserModules } from '../user-code/user-modules.ts'
import { createClock } from '../util/clock.ts'
<<<<<<< HEAD
import { askGraphql, type Caller, type CallerParts, fetchAs, type GraphqlResult } from './callers.ts'
import { type Checked, type CheckOptions, type ConfigSource, checkConfig, isValid } from './check-config.ts'
import { copyContent, restoreContent } from './content-copies.ts'
import { type ChangesOptions, type CmsChange, followChanges } from './follow-changes.ts'
import { embedded } from './instance.ts'
import { openRuntime } from './runtime.ts'
import { consoleUrl, openConsole } from './serve-console.ts'

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
  listen(port?: number, host?: string): Promise<Listening>
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
  readonly outbox: readonly KeptMail[]
  /** A copy of the content of a memory database, of uploaded files in memory, mails and the counters of limits. */
  snapshot(): Snapshot
  /** Puts all of it back as it was at the snapshot, at the cost of what has changed; the clock goes on. */
  restore(snapshot: Snapshot): void
  /**
   * Reads the file again. When it has errors, rejects with ConfigError and keeps the old configuration. With `data`,
   * resets the content of a memory database to the file's `data`, even when the file was not edited.
   */
  reload(request?: { readonly data?: boolean }): Promise<void>
  close(): Promise<void>
}
=======
import { type CheckOptions, type ConfigSource, checkConfig, isValid } from './check-config.ts'
import type { Cms, CmsOptions } from './cms.ts'
import { findStart, keepStart, oneAtATime, startKey } from './kept-starts.ts'
import { configErrorOf, openCms } from './open-cms.ts'

export type { Cms, CmsOptions } from './cms.ts'
>>>>>>> 593ab7f (app: an instance that was opened before, and a fork, begin as copies)

export interface Listening {
  readonly port: number
  readonly url: string
  /** Of the console, with the key of this start; undefined unless the file says `console: true`. */
  readonly consoleUrl?: string
}

/** Opens a CMS from a file or an object. When it has errors, rejects with ConfigError, whose message is the report. */
export async function createCms(
  source: string | Readonly<Record<string, unknown>>,
  options: CmsOptions = {},
): Promise<Cms> {
  const from: ConfigSource = typeof source === 'string' ? { file: resolve(source) } : { object: source }
  const key = startKey(from, options)
  return key === undefined ? openFrom(from, options) : oneAtATime(key, () => openFrom(from, options, key))
}

async function openFrom(from: ConfigSource, options: CmsOptions, key?: string): Promise<Cms> {
  const check: CheckOptions = {
    env: options.env ?? process.env,
    modules: createUserModules(),
    code: {
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      ...(options.middlewares === undefined ? {} : { middlewares: options.middlewares }),
    },
    registers: options.register !== undefined,
    ...(options.database === undefined ? {} : { overrides: { database: options.database } }),
  }
  const opening = { from, check, options, clock: createClock(options.clock), readAt: Date.now() }
  const { clock } = opening
  const kept = key === undefined ? undefined : await findStart(key, from, clock.now().getTime())
  if (kept !== undefined) {
    const { cms, service } = await openCms({ ...opening, checked: kept.checked, content: kept.content })
    await kept.moveTo(clock.now().getTime(), service)
    return cms
  }
  const checked = await checkConfig(from, check)
  if (!isValid(checked)) throw configErrorOf(checked, checked.diagnostics)
  if (options.testing === true && checked.config.server.environment === 'production')
    throw new TypeError('createCms: "testing" makes passwords easy to break, so it is refused in production')
<<<<<<< HEAD
  const clock = createClock(options.clock)
  const roleTokens = createRoleTokens()
  const access = openConsole(config, { byDefault: false, tokens: roleTokens })
  const log = createLog({
    level: write === undefined ? 'silent' : config.server.log.level,
    format: 'json',
    colors: false,
    write: write ?? (() => {}),
  })
  const warn = ({ source: text }: Checked, warnings: readonly Diagnostic[]): void => {
    if (warnings.length > 0) log.warn(formatReport(text, warnings, { colors: false }))
  }
  const opened = await openRuntime(checked, {
    source: from,
    check,
    log,
    readAt,
    instance: embedded(clock.now, testing, roleTokens),
    logRequests: write !== undefined && config.server.log.requests === true,
    hooks: hooksOf(options),
    console: access,
    onReload(event) {
      if (event.kind === 'reloaded') warn(event.checked, event.checked.diagnostics)
      if (event.kind === 'rejected') log.error(configError(event.checked, event.diagnostics).message)
    },
  })
  if ('diagnostics' in opened) throw configError(checked, opened.diagnostics)
  const { runtime, warnings } = opened
  const { service } = runtime
  warn(checked, [...checked.diagnostics, ...warnings])
  if (options.watch === true && 'file' in from) await runtime.follow(false)

  const fetch = injectFetch(runtime.serverOptions)
  const callers: CallerParts = { fetch, roleTokens, current: () => service.live.current }
  const { on, changes, end } = followChanges(
    () => service.live.current,
    (error) => log.error({ error }, 'a listener failed'),
  )
  const close = (): Promise<void> => {
    end()
    return runtime.close()
  }
  return {
    fetch,
    on,
    changes,
    as: (caller) => fetchAs(callers, caller),
    graphql: (query, variables, { as } = {}) =>
      askGraphql(
        as === undefined ? fetch : fetchAs(callers, as),
        service.live.current.graphqlEndpoint,
        query,
        variables,
      ),
    advance: clock.advance,
    async listen(port = config.server.port, host = config.server.host) {
      const server = await openServer({ ...runtime.serverOptions, transport: options.transport })
      const bound = await runtime.listen(server, port, host)
      const url = `http://${host}:${bound.port}`
      return { port: bound.port, url, ...(access && { consoleUrl: consoleUrl(url, access) }) }
    },
    entries: ((type: string) => {
      assertType(service.live.current.model, type)
      return entriesOf(type, () => service.live.current)
    }) as Cms['entries'],
    errors: errorClasses,
    outbox: service.outbox.mails,
    snapshot: () => copyContent(service),
    restore: (snapshot) => restoreContent(service, snapshot),
    async reload({ data = false } = {}) {
      const event = await runtime.reload({ data, awaited: true })
      if (event?.kind === 'rejected') throw configError(event.checked, event.diagnostics)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function configError({ source }: Checked, diagnostics: readonly Diagnostic[]): ConfigError {
  return new ConfigError(formatReport(source, diagnostics, { colors: false }), diagnostics)
}

/** The options that are part of every generation. */
function hooksOf({ register, bootstrap, lifecycles }: CmsOptions): ProgramHooks {
  return {
    ...(register === undefined ? {} : { register }),
    ...(bootstrap === undefined ? {} : { bootstrap }),
    ...(lifecycles === undefined ? {} : { lifecycles }),
  }
}

function assertType(model: Model, name: string): void {
  if (expandTypeName(name, model.contentTypes.keys()) !== undefined) return
  throw new ApiError('NotFoundError', `no content-type "${name}"`)
=======
  if (key === undefined) return (await openCms({ ...opening, checked })).cms
  // Everything that is written with the time of the start has the same time.
  return clock.standStill(async (moment) => {
    const { cms, service } = await openCms({ ...opening, checked })
    await keepStart(key, { checked, moment, service })
    return cms
  })
>>>>>>> 593ab7f (app: an instance that was opened before, and a fork, begin as copies)
}
