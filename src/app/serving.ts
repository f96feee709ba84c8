// Declares options, the banner and messages of serving processes.

import type { Config } from '../config/config.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import { startBanner } from '../describe/start-banner.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Model } from '../model/model.ts'
import { hasConsoleRole } from '../model/roles.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { MetricFamily } from '../observe/metrics/metrics.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import type { CheckOptions } from './check-config.ts'
import type { FileToolsSettings } from './open-file-tools.ts'
import type { ReloadEvent } from './reload.ts'

export interface ServerIo {
  out(text: string): void
  /** Writes the banner when `out` gets a JSON log. */
  err(text: string): void
  report(source: SourceText, diagnostics: readonly Diagnostic[]): void
  /** In one line. */
  fail(message: string): void
  readonly colors: boolean
  readonly isTty: boolean
  /** The file descriptor of `out`. */
  readonly fd?: number | undefined
}

export interface StartOptions {
  readonly file: string
  readonly check: CheckOptions
  readonly watch: boolean
  /** Checks the file once a second, for mounts that send no events. */
  readonly poll?: boolean
  /** Memory databases only: whether an edit of `data` resets the content to it. */
  readonly reseed?: boolean
  readonly transport?: 'uws' | 'node' | undefined
  /** In a worker; the first process watches the file. */
  readonly workerPort?: number | undefined
  /** Writes the log as JSON, whatever the file says. */
  readonly json?: boolean
  readonly io: ServerIo
  /** The address is then shown even without a terminal. */
  readonly opens?: boolean
  readonly runCases?: FileToolsSettings['runCases']
  readonly onLog?: (log: Log, format: 'pretty' | 'json') => void
}

/** A server, or several behind one port. */
export interface ServerHandle {
  readonly url: string
  /** The console, or the first list that everyone may read. */
  readonly firstUrl: string
  reload(): Promise<unknown>
  /** Drains and closes; resolves with the exit code. */
  stop(): Promise<number>
}

export interface RunningServer extends ServerHandle {
  readonly port: number
  readonly transport: string
  reload(): Promise<ReloadEvent | undefined>
  /** Drops tables and columns that the configuration no longer names. */
  contract(): Promise<void>
  measured(): readonly MetricFamily[]
  look(given: unknown): unknown
}

/** The reason was reported. */
export interface StartFailure {
  readonly exitCode: 1
}

/** By default requests are logged in development on a terminal. */
export function logsRequests({ server }: Config, io: ServerIo): boolean {
  const { requests } = server.log
  return typeof requests === 'number'
    ? requests > 0
    : (requests ?? (io.isTty && server.environment === 'development'))
}

export function logFormat({ server }: Config, io: ServerIo): 'pretty' | 'json' {
  return server.log.format ?? (io.isTty ? 'pretty' : 'json')
}

/** Logs features that the file enables implicitly, and the address. */
export function announce(
  url: string,
  config: Config,
  model: Model,
  options: StartOptions,
  log: Log,
  pages?: string,
): void {
  for (const { notices = [] } of enablePlugins(config)) for (const notice of notices) log.info(notice)
  if (pages !== undefined) warnAboutConsole(config, log)
  showBanner(url, config, model, options, log, pages)
}

/** In production the console has no key. */
function warnAboutConsole({ auth, console, server }: Config, log: Log): void {
  if (server.environment !== 'production') return
  if (!hasConsoleRole(auth.roles))
    log.warn('nobody can log in to the console: write "console: true" at a role of the file')
  if (typeof console === 'object' && console.edit)
    log.warn(
      '"console.edit" has no effect in production: the page File is for the key, which exists elsewhere',
    )
}

/** Only on a terminal, or when a browser is opened; on standard error beside a JSON log. */
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
      log.info(
        config.server.environment === 'production'
          ? `the console is on at ${pages}`
          : 'the console is on; its address is printed on a terminal, or with --open',
      )
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
