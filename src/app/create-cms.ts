// The embedding interface: a configuration -> a CMS in this process, for tests and other
// programs.

import { resolve } from 'node:path'
import type { Overrides } from '../config/apply-overrides.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import type { Snapshot } from '../databases/database.ts'
import { ApiError } from '../errors/api-error.ts'
import { type ErrorClasses, errorClasses } from '../errors/error-classes.ts'
import type { FileWatch } from '../file-watch/watch-file.ts'
import { injectFetch } from '../http/inject.ts'
import { openServer } from '../http/open-server.ts'
import type { HttpServer } from '../http/server.ts'
import { createLog } from '../log/create-log.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { KeptMail } from '../plugins/mailer.ts'
import type { MemoryFilesCopy } from '../plugins/memory-files.ts'
import type { ProgramHooks } from '../user-code/customize.ts'
import { type EntriesFor, entriesOf } from '../user-code/entries.ts'
import type { CodeOptions } from '../user-code/own-code.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { type CheckOptions, type ConfigSource, checkConfig } from './check-config.ts'
import { ConfigError } from './config-error.ts'
import { openService } from './open-service.ts'
import { createReloader } from './reload.ts'
import { startWatch } from './serving.ts'
import { MOST_URL, refusalHeaders } from './transport-options.ts'

export interface CmsOptions extends ProgramHooks, CodeOptions {
  /** Follow edits of the file. */
  readonly watch?: boolean
  /** Variables for `${…}` in the file instead of the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Settings of `database:` that override the file's. */
  readonly database?: NonNullable<Overrides['database']>
  /** What `listen` serves over, instead of whichever loads and passes its self-test. */
  readonly transport?: 'uws' | 'node'
  /** Where the log goes; by default nothing is logged. */
  readonly log?: (line: string) => void
}

export interface Cms extends AsyncDisposable {
  /** A request without a socket: a path (`/api/articles`), a URL or a Request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Serves over HTTP as well; port 0 picks a free one. */
  listen(port?: number, host?: string): Promise<{ readonly port: number; readonly url: string }>
  /** Entries of a content-type (`restaurant` or `api::restaurant.restaurant`), without permission checks. */
  entries<K extends string>(type: K): EntriesFor<K>
  /** The errors that code of the user throws. */
  readonly errors: ErrorClasses
  /** Mails of the email plugin's `log` provider, the newest last. */
  readonly outbox: readonly KeptMail[]
  /** A copy of the whole content of a memory database. */
  snapshot(): Snapshot
  /** Puts the content back as it was at the snapshot. */
  restore(snapshot: Snapshot): void
  /**
   * Reads the file again; rejects with ConfigError when it is not right, and goes on as before. With `data`, in a memory
   * database, the content is put back to what the file says, whether or not the file was edited.
   */
  reload(request?: { readonly data?: boolean }): Promise<void>
  close(): Promise<void>
}

/** Opens a CMS from a file or an object. Rejects with ConfigError, whose message is the whole report. */
export async function createCms(
  source: string | Readonly<Record<string, unknown>>,
  options: CmsOptions = {},
): Promise<Cms> {
  const from: ConfigSource = typeof source === 'string' ? { file: resolve(source) } : { object: source }
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
  const readAt = Date.now()
  const checked = await checkConfig(from, check)
  const { config, model, own } = checked
  if (config === undefined || model === undefined) {
    throw new ConfigError(
      formatReport(checked.source, checked.diagnostics, { colors: false }),
      checked.diagnostics,
    )
  }
  const { log: write } = options
  const log = createLog({
    level: write === undefined ? 'silent' : config.server.log.level,
    format: 'json',
    colors: false,
    write: write ?? (() => {}),
  })
  const opened = await openService({ config, model, own }, log, { hooks: hooksOf(options) })
  if ('diagnostics' in opened) {
    throw new ConfigError(
      formatReport(checked.source, opened.diagnostics, { colors: false }),
      opened.diagnostics,
    )
  }
  const { service } = opened
  const warnings = [...checked.diagnostics, ...opened.warnings]
  if (warnings.length > 0) log.warn(formatReport(checked.source, warnings, { colors: false }))
  const { limits } = config.server
  const serverOptions = {
    handler: service.live.handler,
    limits: { ...limits, url: MOST_URL },
    trustProxy: config.server.trustProxy,
    headers: refusalHeaders(config),
    onFault: (error: unknown, requestId: string | undefined) =>
      log.error({ error, requestId }, 'a request failed by our fault'),
  }
  const fetch = injectFetch(serverOptions)
  const servers: HttpServer[] = []
  /** Files of the memory provider belong to the content: a snapshot keeps both. */
  const filesOf = new WeakMap<Snapshot, MemoryFilesCopy>()
  let rejection: ConfigError | undefined
  let watch: FileWatch | undefined
  let liveFiles = checked.files
  const reloader = createReloader({
    source: from,
    check,
    service,
    log,
    liveHash: checked.hash,
    onEvent(event) {
      // What an edit brought in is followed from now on.
      if (event.kind === 'reloaded') liveFiles = event.checked.files
      if (event.kind === 'reloaded' || event.kind === 'rejected')
        void watch?.setFiles([...liveFiles, ...event.checked.files])
      if (event.kind === 'reloaded' && event.checked.diagnostics.length > 0)
        log.warn(formatReport(event.checked.source, event.checked.diagnostics, { colors: false }))
      if (event.kind !== 'rejected') return
      rejection = new ConfigError(
        formatReport(event.checked.source, event.diagnostics, { colors: false }),
        event.diagnostics,
      )
      log.error(rejection.message)
    },
  })
  watch =
    options.watch === true && 'file' in from
      ? await startWatch(checked.files, reloader, log, false, readAt)
      : undefined

  const close = async (): Promise<void> => {
    reloader.close()
    await watch?.close()
    await Promise.all(servers.splice(0).map((server) => server.close(limits.drain)))
    await service.close()
  }

  return {
    fetch,
    async listen(port = config.server.port, host = config.server.host) {
      const server = await openServer({
        ...serverOptions,
        transport: options.transport,
        onWarning: (message) => log.warn(message),
      })
      const bound = await server.listen(port, host)
      servers.push(server)
      return { port: bound.port, url: `http://${host}:${bound.port}` }
    },
    entries: ((type: string) => {
      assertType(service.live.current.model, type)
      return entriesOf(type, () => service.live.current)
    }) as Cms['entries'],
    errors: errorClasses,
    outbox: service.outbox.mails,
    snapshot() {
      if (service.database.snapshot === undefined) throw memoryOnly('snapshot')
      const snapshot = service.database.snapshot()
      filesOf.set(snapshot, service.memoryFiles.copy())
      return snapshot
    },
    restore(snapshot) {
      if (service.database.restore === undefined) throw memoryOnly('restore')
      service.database.restore(snapshot)
      const files = filesOf.get(snapshot)
      if (files !== undefined) service.memoryFiles.restore(files)
    },
    async reload({ data = false } = {}) {
      rejection = undefined
      await reloader.reload({ data, awaited: true })
      if (rejection !== undefined) throw rejection
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Of the options, those that run with a generation. */
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
}

function memoryOnly(what: string): Error {
  return new TypeError(`${what}() works on the memory database only`)
}
