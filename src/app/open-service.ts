// Opens the service of a checked configuration: opens the database, creates tables, loads the seed and makes the first
// generation live. Shared by the server and `createCms`.

import { createMemoryAttempts, type MemoryAttempts } from '../auth/attempt-store.ts'
import type { Config } from '../config/config.ts'
import { contractDatabase } from '../databases/contract-database.ts'
import { copyLater } from '../databases/copy-later.ts'
import { type Database, OpenFailure, type Snapshot } from '../databases/database.ts'
import { type OutageWatch, watchOutages } from '../databases/database-outage.ts'
import { databaseWatch } from '../databases/database-watch.ts'
import { type DatabaseWatch, openDatabase } from '../databases/open-database.ts'
import { createStoredAttempts } from '../databases/stored-attempts.ts'
import { createTokenUses } from '../databases/token-uses.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { NotReady } from '../http/gateway.ts'
import type { Log } from '../log/create-log.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { createOutbox, type Outbox } from '../plugins/mailer.ts'
import { createMemoryFiles, type MemoryFiles } from '../plugins/memory-files.ts'
import type { RequestWatch } from '../request-log/request-watch.ts'
import { notInMemory } from '../seeding/seed-content.ts'
import type { ProgramHooks } from '../user-code/customize.ts'
import type { ValidConfig } from './check-config.ts'
import { createClientWrites, type ResetReason } from './client-writes.ts'
import { restoreBeside } from './content-copies.ts'
import type { Generation } from './generation.ts'
import { type Applied, installGeneration } from './install-generation.ts'
import { type Instance, server } from './instance.ts'
import { createLive, type Live } from './live.ts'
import { makeGeneration } from './make-generation.ts'

export interface ApplyOptions {
  /** Memory only: why to put the content to what `data` says, as at a start. After an edit, only if no client has written. */
  readonly reset?: ResetReason | undefined
}

export interface Service {
  readonly live: Live
  readonly database: Database
  /** Mails of the `log` provider. */
  readonly outbox: Outbox
  /** Files of the `memory` provider. */
  readonly memoryFiles: MemoryFiles
  /** The counters of rate limits; undefined where the database holds them. */
  readonly attempts: MemoryAttempts | undefined
  /** Migrates and swaps. On errors, the old configuration stays live and its tables unchanged. */
  apply(next: ValidConfig, how?: ApplyOptions): Promise<Applied>
  /** Drops tables and columns that the configuration no longer names, if allowed; call it once no older one is live. */
  contract(): Promise<void>
  /** From now on, `/_ready` answers that the service is shutting down. */
  drain(): void
  close(): Promise<void>
}

export type Opened =
  | { readonly service: Service; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

export interface OpenOptions {
  /** The hooks of the program that embeds the CMS. */
  readonly hooks?: ProgramHooks
  /** Opened to be described only: users' `bootstrap` does not run. */
  readonly describes?: boolean
  /** Other processes serve the same configuration; the first process then decides when to `contract`. */
  readonly shared?: boolean
  readonly requestWatch?: RequestWatch | undefined
  readonly monitoring?: Monitoring | undefined
  /** By default that of a server. */
  readonly instance?: Instance | undefined
  /** Memory only: the content of a service of the same configuration, in which nothing is left to install. */
  readonly content?: Snapshot | undefined
}

export async function openService(valid: ValidConfig, log: Log, options: OpenOptions = {}): Promise<Opened> {
  const {
    hooks = {},
    describes = false,
    shared = false,
    requestWatch,
    monitoring,
    instance = server,
    content,
  } = options
  const { config } = valid
  const state: { failed?: string } = {}
  let ending = false
  let outages: OutageWatch | undefined
  const watch = databaseWatch(log, state, (lost) => outages?.suspect(lost))
  const openedDatabase = await opened(config, watch, content)
  if ('diagnostics' in openedDatabase) return openedDatabase
  const measured = monitoring?.database(openedDatabase) ?? openedDatabase
  const database: Database = requestWatch?.database(measured) ?? measured
  const { server: databaseServer } = database
  if (databaseServer !== undefined)
    outages = watchOutages({ ping: (limit) => databaseServer.ping(limit), log })
  const outbox = createOutbox()
  const memoryFiles = createMemoryFiles()
  // A durable database may be shared by several processes, so they have to share the counters, too.
  const attempts = database.durable ? undefined : createMemoryAttempts()
  const tries = attempts ?? createStoredAttempts(database)
  const tokenUses = createTokenUses(database, { log, now: instance.now })
  const clientWrites = createClientWrites(database)
  const unusable = (reason: string): NotReady => ({ part: 'database', reason })
  const notReady = (): NotReady | undefined | Promise<NotReady | undefined> => {
    if (state.failed !== undefined) return unusable(state.failed)
    if (ending) return { part: 'server', reason: 'shutting down' }
    const away = outages?.check()
    const told = (reason: string | undefined) => (reason === undefined ? undefined : unusable(reason))
    return away instanceof Promise ? away.then(told) : told(away)
  }
  const compile = (next: ValidConfig, own: { isLive: boolean }) =>
    makeGeneration({
      ...next,
      hooks,
      database,
      outbox,
      memoryFiles,
      tries,
      log,
      requestWatch,
      monitoring,
      instance,
      notReady,
      tokenUsed: tokenUses.note,
      // Not what a start, a reload or the seed stores.
      onWrite() {
        if (own.isLive) clientWrites.note()
      },
    })
  const abandon = async (diagnostics: readonly Diagnostic[]): Promise<Opened> => {
    outages?.close()
    await database.close()
    return { diagnostics }
  }
  if (content !== undefined) restoreBeside({ memoryFiles, outbox, attempts }, content)
  const firstState = { isLive: false }
  const compiled = await compile(valid, firstState)
  const first = compiled.generation
  if (first === undefined) return abandon(compiled.diagnostics)
  // When several processes start at once, one creates the tables and loads the seed; the others then find them.
  const installed = await database.exclusively(async () => {
    const done = await installGeneration(database, first, compiled.customization, {
      describes,
      installed: content !== undefined,
    })
    // No older configuration is live yet.
    if (done.ok && !shared && content === undefined)
      await contractDatabase(database, config.database.migrations)
    return done
  })
  if (!installed.ok) return abandon(installed.diagnostics)
  firstState.isLive = true
  // A copy of the content, from which a failed engine restarts. It is made after the first requests were answered.
  const copy = copyLater(database, log)
  copy.schedule()
  const live = createLive(first)
  valid.own.code.adopt()
  if (!describes) first.begin()
  const retired = (generation: Generation): Promise<void> =>
    generation.retire().catch((error: unknown) => log.error({ error }, 'a plugin could not end its work'))

  const service: Service = {
    live,
    database,
    outbox,
    memoryFiles,
    attempts,
    drain() {
      ending = true
      void retired(live.current)
    },
    async apply(next, { reset: reason } = {}) {
      const inMemory = database.copies !== undefined
      if (reason === 'asked' && !inMemory) return { ok: false, reset: false, diagnostics: [notInMemory()] }
      const nextState = { isLive: false }
      const { generation, customization, diagnostics } = await compile(next, nextState)
      if (generation === undefined) return { ok: false, reset: false, diagnostics }
      const { current: previous } = live
      const reset = inMemory && reason !== undefined ? await clientWrites.startReset(reason) : undefined
      const done = await database.exclusively(() =>
        installGeneration(database, generation, customization, { previous, reset }),
      )
      if (!done.ok) return done
      nextState.isLive = true
      next.own.code.adopt()
      copy.schedule()
      const answered = live.swap(generation)
      generation.begin()
      void retired(previous)
        .then(() => answered)
        .then(() => previous.dispose())
        .then(() => (shared ? undefined : service.contract()))
      return { ...done, diagnostics: [...diagnostics, ...done.diagnostics] }
    },
    async contract() {
      const { migrations } = live.current.config.database
      try {
        await database.exclusively(() => contractDatabase(database, migrations))
      } catch (error) {
        log.error({ error }, 'tables and columns that the configuration no longer has could not be dropped')
      }
    },
    async close() {
      copy.cancel()
      await retired(live.current)
      await tokenUses.settled()
      outages?.close()
      await database.close()
    },
  }
  return { service, warnings: [...compiled.diagnostics, ...installed.diagnostics] }
}

/** Milliseconds that one statement of a request may take, at most the time limit of the request. */
function statementLimit({ statementTimeout }: Config['database'], { limits }: Config['server']): number {
  return statementTimeout === 0 ? limits.requestTimeout : Math.min(statementTimeout, limits.requestTimeout)
}

async function opened(
  { database, directory, server }: Config,
  watch: DatabaseWatch,
  content: Snapshot | undefined,
): Promise<Database | { readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return await openDatabase(database, directory, {
      watch,
      timeout: statementLimit(database, server),
      content,
    })
  } catch (error) {
    if (error instanceof OpenFailure) return { diagnostics: error.diagnostics }
    throw error
  }
}
