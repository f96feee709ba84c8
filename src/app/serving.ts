// What one process that serves and several behind one port have in common: options, the banner, the words.

import type { Config } from '../config/config.ts'
import { startBanner } from '../describe/start-banner.ts'
import type { Log } from '../log/create-log.ts'
import type { Model } from '../model/model.ts'
import type { CheckOptions } from './check-config.ts'
import type { ReloadEvent } from './reload.ts'

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
  /** Memory only: whether an edit of `data` puts the content back to it. */
  readonly reseed?: boolean
  readonly transport?: 'uws' | 'node' | undefined
  /** The port that this process shares with others like it; the first process watches the file for them. */
  readonly workerPort?: number | undefined
  readonly io: ServerIo
  /** Told the log as soon as there is one. */
  readonly onLog?: (log: Log) => void
}

/** A server, or several behind one port. */
export interface Served {
  readonly url: string
  reload(): Promise<unknown>
  /** Drains and closes; resolves with the exit code. */
  stop(): Promise<number>
}

export interface RunningServer extends Served {
  readonly port: number
  readonly transport: string
  /** Resolves with what became of it. */
  reload(): Promise<ReloadEvent | undefined>
  /** Drops what the configuration no longer names; asked for where several processes serve it. */
  contract(): Promise<void>
}

/** What kept the server from starting, already told to `io.err`. */
export interface StartFailure {
  readonly exitCode: 1
}

/** Beside a log that machines read, what people read goes to the other stream. */
export function showBanner(url: string, config: Config, model: Model, io: ServerIo): void {
  const banner = config.server.environment === 'production' ? '' : startBanner(url, config, model)
  if (io.isTty || config.server.log.format === 'pretty') io.out(banner)
  else io.err(banner)
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
