// `cms-run cms.yaml`: one file -> a running, reloading server, until a signal ends it.

import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { warmDatabase } from '../databases/open-database.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { openServer, warmServer } from '../http/open-server.ts'
import type { Model } from '../model/model.ts'
import { type Checked, type CheckOptions, checkConfig } from './check-config.ts'
import { createLog, type Log } from './create-log.ts'
import { openService, type Service } from './open-service.ts'
import { createReloader, type ReloadEvent, type Reloader } from './reload.ts'
import { startBanner } from './start-banner.ts'
import { MOST_URL, refusalHeaders } from './transport-options.ts'
import type { FileWatch } from './watch-file.ts'

export interface ServerIo {
  /** The banner and pretty logs; JSON logs too. */
  out(text: string): void
  /** Reports and one-line failures. */
  err(text: string): void
  readonly colors: boolean
  readonly isTty: boolean
}

export interface StartOptions {
  readonly file: string
  readonly check: CheckOptions
  readonly watch: boolean
  /** Mounts that send no events: look at the file once a second instead. */
  readonly poll?: boolean
  readonly transport?: 'uws' | 'node' | undefined
  /** The port that this process shares with others like it; the first process watches the file for them. */
  readonly workerPort?: number | undefined
  readonly io: ServerIo
}

/** A server, or several behind one port. */
export interface Served {
  readonly url: string
  reload(): Promise<void>
  /** Drains and closes; resolves with the exit code. */
  stop(): Promise<number>
}

export interface RunningServer extends Served {
  readonly port: number
  readonly transport: string
  readonly service: Service
  /** What became of the last reload. */
  readonly lastReload: ReloadEvent | undefined
}

/** What kept the server from starting, already told to `io.err`. */
export interface StartFailure {
  readonly exitCode: 1
}

export async function startServer(options: StartOptions): Promise<RunningServer | Served | StartFailure> {
  const { io, workerPort } = options
  const source = { file: options.file }
  const report = (checked: Checked, diagnostics: readonly Diagnostic[]): void => {
    if (diagnostics.length > 0) io.err(formatReport(checked.source, diagnostics, { colors: io.colors }))
  }
  warmDatabase()
  if (options.transport === undefined) warmServer()
  const readAt = Date.now()
  const checked = await checkConfig(source, options.check)
  report(checked, checked.diagnostics)
  const { config, model } = checked
  if (config === undefined || model === undefined) return { exitCode: 1 }

  const log = createLog({
    level: config.server.log.level,
    format: config.server.log.format ?? (io.isTty ? 'pretty' : 'json'),
    colors: io.colors,
    write: (line) => io.out(line),
    ...(workerPort === undefined ? {} : { worker: process.pid }),
  })
  if (config.server.workers > 1 && workerPort === undefined) {
    const { startWorkers } = await import('./start-workers.ts')
    return startWorkers({ options, checked, config, model, log, readAt })
  }
  const opened = await openService(config, model, log, workerPort !== undefined)
  if ('diagnostics' in opened) {
    report(checked, opened.diagnostics)
    return { exitCode: 1 }
  }
  const { service } = opened
  report(checked, opened.warnings)

  const server = await openServer({
    handler: service.live.handler,
    limits: { ...config.server.limits, url: MOST_URL },
    trustProxy: config.server.trustProxy,
    headers: refusalHeaders(config),
    onFault: (error, requestId) => log.error({ error, requestId }, 'a request failed by our fault'),
    onFallback: (reason) => log.warn(`serving over node:http: ${reason}`),
    ...(options.transport === undefined ? {} : { transport: options.transport }),
  })
  let port: number
  try {
    const { host } = config.server
    port = (await server.listen(workerPort ?? config.server.port, host, workerPort !== undefined)).port
  } catch (error) {
    await service.close()
    io.err(`${listenFailure(error, config)}\n`)
    return { exitCode: 1 }
  }

  let lastReload: ReloadEvent | undefined
  const reloader = createReloader({
    source,
    check: options.check,
    service,
    log,
    liveHash: checked.hash,
    onEvent(event) {
      lastReload = event
      tell(event, log, service, report)
      // A seed file that the edit brought in is followed from now on.
      if (event.kind === 'reloaded') void watch?.then((one) => one.setFiles(event.checked.files))
    },
  })
  // The first requests come before the watch; an edit made since the file was read is seen nevertheless.
  const watch: Promise<FileWatch> | undefined =
    options.watch && workerPort === undefined
      ? wait(WATCH_AFTER).then(() => startWatch(checked.files, reloader, log, options.poll ?? false, readAt))
      : undefined
  watch?.catch((error) => log.error({ error }, 'the file cannot be followed'))
  const url = urlOf(config, port)
  log.info(
    { transport: server.name, database: config.database.client, durable: service.database.durable },
    `listening on ${url}`,
  )
  if (workerPort === undefined) showBanner(url, config, model, io)

  let stopping: Promise<number> | undefined
  return {
    port,
    url,
    transport: server.name,
    service,
    get lastReload() {
      return lastReload
    },
    reload() {
      lastReload = undefined
      return reloader.reload()
    },
    stop() {
      stopping ??= (async () => {
        reloader.close()
        await (await watch?.catch(() => undefined))?.close()
        service.notReady = 'shutting down'
        await server.close(config.server.limits.drain)
        await service.close()
        log.info('stopped')
        return 0
      })()
      return stopping
    },
  }
}

/** Beside a log that machines read, what people read goes to the other stream. */
export function showBanner(url: string, config: Config, model: Model, io: ServerIo): void {
  const banner = config.server.environment === 'production' ? '' : startBanner(url, config, model)
  if (io.isTty || config.server.log.format === 'pretty') io.out(banner)
  else io.err(banner)
}

/** Milliseconds after the start. */
const WATCH_AFTER = 50

function tell(
  event: ReloadEvent,
  log: Log,
  service: Service,
  report: (checked: Checked, diagnostics: readonly Diagnostic[]) => void,
): void {
  switch (event.kind) {
    case 'reloaded':
      report(event.checked, event.checked.diagnostics)
      log.info(`reloaded in ${event.milliseconds.toFixed(0)} ms`)
      return
    case 'rejected':
      report(event.checked, event.diagnostics)
      log.error('the edit is not taken; the configuration before it goes on serving')
      service.notReady = undefined
      return
    case 'held':
    case 'unchanged':
      return
  }
}

export async function startWatch(
  files: readonly string[],
  reloader: Pick<Reloader, 'reload'>,
  log: Log,
  poll: boolean,
  since: number,
): Promise<FileWatch> {
  const { watchFiles } = await import('./watch-file.ts')
  return watchFiles(files, {
    poll,
    since,
    onChange: () => void reloader.reload(),
    onMissing: (file) => log.warn(`${file} is gone; the configuration goes on serving`),
  })
}

export function listenFailure(error: unknown, config: Config): string {
  const { host, port } = config.server
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `cms-run: port ${port} on ${host} is in use; choose another with --port`
  if (code === 'EACCES') return `cms-run: no permission to listen on port ${port}`
  return `cms-run: cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`
}

export function urlOf(config: Config, port: number): string {
  const { host } = config.server
  const shown = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
