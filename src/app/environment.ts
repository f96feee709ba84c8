// Opens the parts of a server that survive reloads: the database, mails and files in memory, counters.

import { type AttemptStore, createMemoryAttempts, type MemoryAttempts } from '../access/attempt-store.ts'
import { hashPassword } from '../access/hash-password.ts'
import type { RoleTokens } from '../access/role-tokens.ts'
import { createStoredAttempts } from '../access/stored/stored-attempts.ts'
import { createTokenUses, type TokenUses } from '../access/stored/token-uses.ts'
import type { Config } from '../config/config.ts'
import type { NotReady } from '../http/gateway.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { Monitoring } from '../observe/monitoring/monitoring.ts'
import type { RequestWatch } from '../observe/requests/request-watch.ts'
import { createRequestKeys, type RequestKeys } from '../operations/stored-request-keys.ts'
import type { AgentTool } from '../plugins/agent-tools.ts'
import { createOutbox, type Outbox } from '../plugins/mailer.ts'
import { createMemoryFiles, type MemoryFiles } from '../plugins/memory-files.ts'
import { copyLater } from '../storage/copy-later.ts'
import { type Database, OpenFailure, type Snapshot } from '../storage/database.ts'
import { type OutageWatch, watchOutages } from '../storage/database-outage.ts'
import { createDatabaseWatch } from '../storage/database-watch.ts'
import { openDatabase } from '../storage/open-database.ts'
import type { ProgramHooks } from '../user-code/user-lifecycles.ts'
import type { HashPassword } from '../write/hash-passwords.ts'
import { type ClientWrites, createClientWrites } from './client-writes.ts'
import { restoreBeside } from './content-copies.ts'

export interface EnvironmentOptions {
  readonly hooks?: ProgramHooks | undefined
  readonly now?: (() => number) | undefined
  readonly hashPassword?: HashPassword | undefined
  /** Limits logins only where the file says so. */
  readonly testing?: boolean | undefined
  /** Undefined where requests cannot act as a role. */
  readonly roleTokens?: RoleTokens | undefined
  /** Users' `bootstrap` does not run. */
  readonly describes?: boolean | undefined
  /** Other processes serve the same configuration; the first one decides when to drop columns. */
  readonly shared?: boolean | undefined
  /** Another process may be serving the database. */
  readonly alongside?: boolean | undefined
  /** Memory databases only: the content of an instance of the same configuration. */
  readonly content?: Snapshot | undefined
  /** Known once there is a server. */
  readonly agentTools?: (() => Promise<readonly AgentTool[]>) | undefined
  readonly requestWatch?: RequestWatch | undefined
  readonly monitoring?: Monitoring | undefined
}

export interface Environment
  extends Pick<
    EnvironmentOptions,
    'roleTokens' | 'describes' | 'content' | 'agentTools' | 'requestWatch' | 'monitoring'
  > {
  readonly log: Log
  readonly hooks: ProgramHooks
  readonly now: () => number
  readonly hashPassword: HashPassword
  readonly testing: boolean
  readonly shared: boolean
  readonly database: Database
  readonly outbox: Outbox
  readonly memoryFiles: MemoryFiles
  readonly attempts: AttemptStore
  readonly requestKeys: RequestKeys
  /** Undefined where the database holds the counters. */
  readonly memoryAttempts: MemoryAttempts | undefined
  readonly tokenUses: TokenUses
  readonly clientWrites: ClientWrites
  /** Copies a memory database once the first requests were answered: a failed engine restarts from the copy. */
  copyLater(): void
  /** Undefined when requests can be answered. */
  notReady(): NotReady | undefined | Promise<NotReady | undefined>
  drain(): void
  close(): Promise<void>
}

export async function openEnvironment(
  config: Config,
  log: Log,
  options: EnvironmentOptions = {},
): Promise<Environment | { readonly diagnostics: readonly Diagnostic[] }> {
  const { content, requestWatch, monitoring, alongside = false, now = () => Date.now() } = options
  const state: { failed?: string } = {}
  let outages: OutageWatch | undefined
  const watch = createDatabaseWatch(log, state, (lost) => outages?.suspect(lost))
  let opened: Database
  try {
    const timeout = statementLimit(config)
    opened = await openDatabase(config.database, config.directory, { watch, timeout, content, alongside })
  } catch (error) {
    if (error instanceof OpenFailure) return { diagnostics: error.diagnostics }
    throw error
  }
  const measured = monitoring?.database(opened) ?? opened
  const database = requestWatch?.database(measured) ?? measured
  const { server } = database
  if (server !== undefined) outages = watchOutages({ ping: (limit) => server.ping(limit), log })
  const outbox = createOutbox()
  const memoryFiles = createMemoryFiles()
  // Processes that share a durable database must share the counters, too.
  const memoryAttempts = database.durable ? undefined : createMemoryAttempts()
  if (content !== undefined) restoreBeside({ memoryFiles, outbox, memoryAttempts }, content)
  const tokenUses = createTokenUses(database, { log, now })
  const copy = copyLater(database, log)
  let ending = false
  return {
    log,
    requestWatch,
    monitoring,
    content,
    roleTokens: options.roleTokens,
    agentTools: options.agentTools,
    describes: options.describes,
    hooks: options.hooks ?? {},
    now,
    hashPassword: options.hashPassword ?? hashPassword,
    testing: options.testing ?? false,
    shared: options.shared ?? false,
    database,
    outbox,
    memoryFiles,
    memoryAttempts,
    attempts: memoryAttempts ?? createStoredAttempts(database),
    requestKeys: createRequestKeys(database),
    tokenUses,
    clientWrites: createClientWrites(database),
    copyLater: () => copy.schedule(),
    notReady() {
      if (state.failed !== undefined) return unusable(state.failed)
      if (ending) return { part: 'server', reason: 'shutting down' }
      const reason = outages?.check()
      return reason instanceof Promise ? reason.then(unusable) : unusable(reason)
    },
    drain() {
      ending = true
    },
    async close() {
      copy.cancel()
      await tokenUses.settled()
      outages?.close()
      await database.close()
    },
  }
}

function unusable(reason: string | undefined): NotReady | undefined {
  return reason === undefined ? undefined : { part: 'database', reason }
}

/** In milliseconds, at most the time limit of the request. */
function statementLimit({ database: { statementTimeout }, server: { limits } }: Config): number {
  return statementTimeout === 0 ? limits.requestTimeout : Math.min(statementTimeout, limits.requestTimeout)
}
