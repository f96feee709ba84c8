// Shared by a single serving process and several processes on one port: options, the banner, messages.

import type { Config } from '../config/config.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import { startBanner } from '../describe/start-banner.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Model } from '../model/model.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { MetricFamily } from '../observe/metrics/metrics.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import type { CheckOptions } from './check-config.ts'
import type { ReloadEvent } from './reload.ts'

export interface ServerIo {
  /** Writes the banner and the log. */
  out(text: string): void
  /** Writes the banner when `out` gets a log for machines. */
  err(text: string): void
  /** Reports errors and warnings in the files. */
  report(source: SourceText, diagnostics: readonly Diagnostic[]): void
  /** Reports in one line why the server cannot start. */
  fail(message: string): void
  readonly colors: boolean
  readonly isTty: boolean
  /** The file descriptor that `out` writes to. */
  readonly fd?: number | undefined
}

export interface StartOptions {
  readonly file: string
  readonly check: CheckOptions
  readonly watch: boolean
  /** Checks the file once a second, for mounts that send no events. */
  readonly poll?: boolean
  /** Memory only: whether an edit of `data` resets the content to it. */
  readonly reseed?: boolean
  readonly transport?: 'uws' | 'node' | undefined
  /** In a worker, the port that the workers share; the first process watches the file for them. */
  readonly workerPort?: number | undefined
  /** Writes the log as JSON, whatever the file says. */
  readonly json?: boolean
  readonly io: ServerIo
  /** Whether a browser is opened, so that its address is shown though nobody may watch. */
  readonly opens?: boolean
  /** Called with the log as soon as it is created. */
  readonly onLog?: (log: Log, format: 'pretty' | 'json') => void
}

/** A server, or several behind one port. */
export interface ServerHandle {
  readonly url: string
  /** The first page for a browser: the console, or the first list that everybody may read. */
  readonly firstUrl: string
  reload(): Promise<unknown>
  /** Drains and closes; resolves with the exit code. */
  stop(): Promise<number>
}

export interface RunningServer extends ServerHandle {
  readonly port: number
  readonly transport: string
  /** Resolves with the outcome. */
  reload(): Promise<ReloadEvent | undefined>
  /** Drops tables and columns that the configuration no longer names; called when several processes serve it. */
  contract(): Promise<void>
  /** Metrics of this process; empty where they are off. */
  measured(): readonly MetricFamily[]
  /** The update of this process for a page of the console; undefined without a console. */
  look(given: unknown): unknown
}

/** The server could not start; the reason was reported. */
export interface StartFailure {
  readonly exitCode: 1
}

/** By default requests are logged where a developer watches: in development, on a terminal (decision 0020). */
export function logsRequests({ server }: Config, io: ServerIo): boolean {
  const { requests } = server.log
  return typeof requests === 'number'
    ? requests > 0
    : (requests ?? (io.isTty && server.environment === 'development'))
}

/** Pretty lines are for people. */
export function logFormat({ server }: Config, io: ServerIo): 'pretty' | 'json' {
  return server.log.format ?? (io.isTty ? 'pretty' : 'json')
}

/** Logs what the file opens without naming it, and where it is served. */
export function announce(
  url: string,
  config: Config,
  model: Model,
  options: StartOptions,
  log: Log,
  pages?: string,
): void {
  for (const { notices = [] } of enablePlugins(config)) for (const notice of notices) log.info(notice)
  showBanner(url, config, model, options, log, pages)
}

/** For people: on a terminal, or where a browser is opened. On standard error beside a log for machines. */
function showBanner(
  url: string,
  config: Config,
  model: Model,
  { io, json, opens = false }: StartOptions,
  log: Log,
  pages?: string,
): void {
  if (!io.isTty && !opens) {
    if (pages !== undefined)
      log.info('the console is on; its address is printed on a terminal, or with --open')
    return
  }
  const addresses = config.server.environment === 'production' ? '' : startBanner(url, config, model)
  const banner = pages === undefined ? addresses : `${addresses}Console:  ${pages}\n\n`
  if (json !== true && logFormat(config, io) === 'pretty') io.out(banner)
  else io.err(banner)
}

export function listenFailure(
  error: unknown,
  { host, port }: Pick<Config['server'], 'host' | 'port'>,
): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with --port`
  if (code === 'EACCES') return `no permission to listen on port ${port}`
  return `cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`
}

export function buildUrl(config: Config, port: number): string {
  const { host } = config.server
  const shown = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
