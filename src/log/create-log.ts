// Creates the log: pino's JSON lines, or short coloured lines for people. Headers, bodies and what queries ask for are never
// logged.

import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import type { DestinationStream, Logger, pino as Pino } from 'pino'
import { printableLines } from '../util/printable.ts'
import { boundLine } from './bound-line.ts'
import { collectLines } from './collect-lines.ts'
import { paintWith } from './paint.ts'
import { prettyRequest, type RequestLine } from './request-line.ts'
import { createRequestText } from './request-text.ts'

type Level = 'info' | 'warn' | 'error' | 'fatal'
export interface Log extends Readonly<Record<Level, (what: object | string, message?: string) => void>> {
  /** One answered request, at level `info`. `moment`: on the clock of `performance.now()`; by default it was now. */
  request(line: RequestLine, moment?: number): void
  /** Writes lines of requests that wait; before the process ends. */
  flush(): void
}

export interface LogOptions {
  readonly level: string
  readonly format: 'pretty' | 'json'
  readonly colors: boolean
  /** The number of the process, when several write to one log. */
  readonly worker?: number
  /**
   * Whether JSON lines of requests are collected and written together, a moment later: writing one costs more than making it.
   * Other lines are written at once, after those that wait.
   */
  readonly collects?: boolean
  write(text: string): void
}

export function createLog({ level, format, colors, worker, collects = false, write: out }: LogOptions): Log {
  const textOf = createRequestText(worker === undefined ? '' : `"worker":${worker},`)
  const requests = collectLines(textOf, out)
  const write = (text: string): void => {
    requests.flush()
    out(text)
  }
  const destination: DestinationStream = {
    write(line) {
      const bounded = boundLine(line)
      write(format === 'json' ? bounded : prettyLine(bounded, colors))
    },
  }
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    messageKey: 'message',
    errorKey: 'error',
  }
  // Pino is loaded with the first line: a start logs none before it listens, and most embedded instances none at all.
  let opened: Logger | undefined
  const at =
    (name: Level): Log[Level] =>
    (what, message) => {
      opened ??= openPino()(options, destination)
      if (message === undefined) opened[name](what)
      else opened[name](what, message)
    }
  const info = at('info')
  const shown = showsInfo(level)
  return {
    info,
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    request: (line, moment = performance.now()) => {
      if (!shown) return
      if (format === 'pretty') write(prettyRequest(line, new Date(), paintWith(colors)))
      else if (collects) requests.add(line, moment)
      else write(textOf(line, Date.now()))
    },
    flush: requests.flush,
  }
}

/** Whether lines of level `info` are shown. */
export function showsInfo(level: string): boolean {
  return level === 'info' || showsDebug(level)
}

export function showsDebug(level: string): boolean {
  return level === 'debug' || level === 'trace'
}

const require = createRequire(import.meta.url)

function openPino(): typeof Pino {
  return (require('pino') as { readonly pino: typeof Pino }).pino
}

const LEVELS: Readonly<Record<number, readonly [name: string, color: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 36],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
}

/** `12:34:56 info  message key=value`, with a stack trace on the lines below. */
function prettyLine(line: string, colors: boolean): string {
  const { level, time, message, error, ...rest } = JSON.parse(line) as {
    level: number
    time: number
    message?: string
    error?: { message?: string; stack?: string }
  }
  const [name, color] = LEVELS[level] ?? ['log', 37]
  const paint = paintWith(colors)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const extra = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = error === undefined ? '' : `\n${error.stack ?? error.message ?? ''}`
  return `${paint(clock, 90)} ${paint(name.padEnd(5), color)} ${printableLines(message ?? '')}${printableLines(extra.join(''))}${stack}\n`
}
