// Runs the current app, its transports, and the edits that replace the app.

import type { TroubleConfig } from '../config/server-config.ts'
import { buildSecurityHeaders } from '../http/gateway.ts'
import { createHeaderSet } from '../http/header-set.ts'
import type { HttpServer, ServerOptions } from '../http/server.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { MetricFamily } from '../observe/metrics/metrics.ts'
import { contractDatabase } from '../storage/contract-database.ts'
import { injectFaults } from '../testing/fault-injection/inject-faults.ts'
import { createNotInMemory } from '../write/seeding/seed-content.ts'
import type { App } from './app.ts'
import type { CheckedConfig, CheckOptions, ConfigSource, ValidConfig } from './check-config.ts'
import type { ResetReason } from './client-writes.ts'
import { createCurrentApp } from './current-app.ts'
import type { Environment } from './environment.ts'
import { followFiles } from './followed-files.ts'
import { type InstallResult, installApp } from './install-app.ts'
import { makeApp } from './make-app.ts'
import type { Observers } from './observers.ts'
import { createReloader, type ReloadEvent, type ReloadRequest } from './reload.ts'
import { type ConsoleAccess, type ConsoleOptions, serveConsole } from './serve-console.ts'

const MAX_URL_BYTES = 16_384

export interface ServerSettings {
  readonly source: ConfigSource
  readonly check: CheckOptions
  readonly log: Log
  /** Epoch milliseconds. */
  readonly readAt: number
  /** Memory databases only: whether an edit of `data` resets the content to it. */
  readonly reseed?: boolean
  readonly console?: ConsoleAccess | undefined
  /** In a worker: asks all workers. */
  readonly lookAtAll?: ConsoleOptions['lookAtAll']
  onReload(event: ReloadEvent): void
}

export interface Server {
  readonly environment: Environment
  readonly app: App
  readonly transportOptions: ServerOptions
  /** Resolves when the transport accepts requests. */
  listen(
    transport: HttpServer,
    port: number,
    host: string,
    shared?: boolean,
  ): Promise<{ readonly port: number }>
  follow(poll: boolean): Promise<void>
  /** Resolves with undefined after `close` or an internal error. */
  reload(request?: ReloadRequest): Promise<ReloadEvent | undefined>
  /** On errors, the old app and its tables stay. After an edit, resets only if clients have not written. */
  apply(next: ValidConfig, reset?: ResetReason): Promise<InstallResult>
  /** Drops tables and columns that the configuration no longer names; call it once no older app is live. */
  contract(): Promise<void>
  /** Undefined: as the file says. */
  disturb(trouble: TroubleConfig | undefined): void
  measured(): readonly MetricFamily[]
  look(given: unknown): unknown
  /** Running requests get up to `server.limits.drain` to finish. */
  close(): Promise<void>
}

/** `first`: the app that answers from the start. */
export function createServer(
  checked: CheckedConfig & ValidConfig,
  settings: ServerSettings,
  { environment, first, observers }: { environment: Environment; first: App; observers: Observers },
): Server {
  const { log } = settings
  const { database, clientWrites, shared } = environment
  const { limits, trustProxy, environment: mode } = checked.config.server
  const current = createCurrentApp(first)
  const retired = (app: App): Promise<void> =>
    app.retire().catch((error: unknown) => log.error({ error }, 'a plugin could not end its work'))

  async function apply(next: ValidConfig, reason?: ResetReason): Promise<InstallResult> {
    const refused = (diagnostics: readonly Diagnostic[]): InstallResult => ({
      ok: false,
      reset: false,
      diagnostics,
    })
    const inMemory = database.copies !== undefined
    if (reason === 'asked' && !inMemory) return refused([createNotInMemory()])
    const { app, diagnostics } = await makeApp(next, environment)
    if (app === undefined) return refused(diagnostics)
    const { app: previous } = current
    const reset = inMemory && reason !== undefined ? await clientWrites.startReset(reason) : undefined
    const done = await database.exclusively(() => installApp(app, environment, { previous, reset }))
    if (!done.ok) return done
    next.own.adopt()
    environment.copyLater()
    const answered = current.replace(app)
    app.begin()
    void retired(previous)
      .then(() => answered)
      .then(() => previous.dispose())
      .then(() => (shared ? undefined : contract()))
    return { ...done, diagnostics: [...diagnostics, ...done.diagnostics] }
  }

  async function contract(): Promise<void> {
    const { migrations } = current.app.config.database
    try {
      await database.exclusively(() => contractDatabase(database, migrations))
    } catch (error) {
      log.error({ error }, 'tables and columns that the configuration no longer has could not be dropped')
    }
  }

  let lastReload: ReloadEvent | undefined
  const reloader = createReloader({
    ...settings,
    live: () => current.app,
    durable: database.durable,
    apply,
    liveHash: checked.hash,
    onEvent(event) {
      lastReload = event
      observers.monitoring?.reloaded(event.kind)
      console?.onReload(event)
      if (event.kind === 'reloaded') files.taken(event.checked.files)
      if (event.kind === 'rejected') files.refused(event.checked.files)
      settings.onReload(event)
    },
  })
  const files = followFiles({
    files: checked.files,
    readAt: settings.readAt,
    log,
    onChange: () => void reloader.reload(),
  })

  let programmed: TroubleConfig | undefined
  const disturbed = injectFaults(current.handler, () => programmed ?? current.app.config.server.trouble)
  const transportOptions: ServerOptions = {
    handler: observers.requestWatch?.handler(disturbed) ?? disturbed,
    onResponse: observers.answered,
    limits: { ...limits, url: MAX_URL_BYTES },
    trustProxy,
    headers: createHeaderSet(buildSecurityHeaders(mode === 'production')),
    onFault: (error, requestId) => log.error({ error, requestId }, 'a request failed by an internal error'),
    onWarning: (message) => log.warn(message),
  }
  const transports: HttpServer[] = []
  const console =
    settings.console &&
    serveConsole(settings.console, {
      ...{ source: settings.source, check: settings.check, checked, lookAtAll: settings.lookAtAll },
      app: () => current.app,
      database,
      transportOptions,
      transport: () => transports[0]?.name ?? '',
    })
  let closing: Promise<void> | undefined

  return {
    environment,
    get app() {
      return current.app
    },
    transportOptions:
      console === undefined ? transportOptions : { ...transportOptions, handler: console.handler },
    async listen(transport, port, host, shared) {
      const bound = await transport.listen(port, host, shared)
      transports.push(transport)
      return bound
    },
    follow: (poll) => files.start(poll),
    async reload(request) {
      lastReload = undefined
      await reloader.reload(request)
      return lastReload
    },
    apply,
    contract,
    disturb(trouble) {
      programmed = trouble
    },
    measured: () => observers.monitoring?.metrics.collect() ?? [],
    look: (given) => console?.look(given),
    close() {
      closing ??= (async () => {
        reloader.close()
        await files.close()
        environment.drain()
        void retired(current.app)
        await Promise.all(transports.map((one) => one.close(limits.drain)))
        await retired(current.app)
        await environment.close()
        observers.close()
      })()
      return closing
    },
  }
}
