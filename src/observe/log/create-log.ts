// Creates the log: JSON lines of pino, or coloured lines for people. Headers, bodies and queries are never
// logged.

import { createRequire } from 'node:module'
import type { DestinationStream, Logger, pino as Pino } from 'pino'
import { toPrintableLines } from '../../lib/printable.ts'
import { paintWith } from './paint.ts'
import { formatRequest, type RequestLine } from './request-line.ts'

type Level = 'info' | 'warn' | 'error' | 'fatal'
export interface Log extends Readonly<Record<Level, (what: object | string, message?: string) => void>> {
  request(line: RequestLine): void
}

interface LogOptions {
  readonly level: string
  readonly format: 'pretty' | 'json'
  readonly colors: boolean
  /** When several processes write to one log. */
  readonly worker?: number
  /** For JSON lines in place of `write`; pino then buffers lines of requests. */
  readonly fd?: number | undefined
  write(text: string): void
}

/** Bytes that are written together, and milliseconds that a line waits. */
const MIN_WRITE_BYTES = 4096
const MAX_WAIT_MS = 100
/** Bytes that wait for the log's reader. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024

export function createLog({ level, format, colors, worker, fd, write }: LogOptions): Log {
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    messageKey: 'message',
    errorKey: 'error',
  }
  let buffer: LineBuffer | undefined
  // Loaded with the first line, which most embedded instances never log.
  let opened: Logger | undefined
  const logger = (): Logger => {
    if (opened !== undefined) return opened
    const pino = openPino()
    buffer =
      fd === undefined || format === 'pretty'
        ? undefined
        : openBuffer(pino, fd, (lines) =>
            warn(`${lines} lines of the log are lost: nobody read them while 8 MB of lines waited`),
          )
    const out = buffer?.write ?? write
    const destination: DestinationStream = {
      write(line) {
        const bounded = boundLine(line)
        out(format === 'json' ? bounded : prettyLine(bounded, colors))
      },
    }
    opened = pino(options, destination)
    return opened
  }
  const at =
    (name: Level): Log[Level] =>
    (what, message) => {
      if (message === undefined) logger()[name](what)
      else logger()[name](what, message)
      buffer?.flush()
    }
  const info = at('info')
  const warn = at('warn')
  const shown = showsInfo(level)
  return {
    info,
    warn,
    error: at('error'),
    fatal: at('fatal'),
    request(line) {
      if (!shown) return
      if (format === 'pretty') write(formatRequest(line, new Date(), paintWith(colors)))
      else logger().info(line, 'request')
    },
  }
}

interface LineBuffer {
  write(line: string): void
  flush(): void
}

/**
 * Pino writes lines that wait when the process exits, before those whose writing has begun. `onLost` is called with the number
 * of dropped lines when there is room again.
 */
function openBuffer(pino: typeof Pino, fd: number, onLost: (lines: number) => void): LineBuffer {
  const stream = pino.destination({
    dest: fd,
    sync: false,
    minLength: MIN_WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: MAX_WAIT_MS,
  })
  let lost = 0
  stream.on('drop', () => {
    lost += 1
  })
  stream.on('drain', () => {
    if (lost === 0) return
    const lines = lost
    lost = 0
    onLost(lines)
  })
  return {
    write: (line) => void stream.write(line),
    flush: () => stream.flush(),
  }
}

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
  return `${paint(clock, 90)} ${paint(name.padEnd(5), color)} ${toPrintableLines(message ?? '')}${toPrintableLines(extra.join(''))}${stack}\n`
}

/** Characters; longer lines are cut. */
const MAX_LINE_LENGTH = 32_000
/** Per text, list and object of a long line; divided by ten until the line fits. */
const MAX_TEXT_LENGTH = 4000
/** Short enough for any line: its errors and lists are not deep. */
const MIN_TEXT_LENGTH = 4

/** Takes and returns JSON. */
function boundLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line
  const whole: unknown = JSON.parse(line)
  let bounded = line
  for (let most = MAX_TEXT_LENGTH; bounded.length > MAX_LINE_LENGTH && most >= MIN_TEXT_LENGTH; most /= 10)
    bounded = `${JSON.stringify(whole, (_key, value: unknown) => boundValue(value, most))}\n`
  return bounded
}

function boundValue(value: unknown, most: number): unknown {
  if (typeof value === 'string')
    return value.length > most ? `${value.slice(0, most)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return value.slice(0, most)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).slice(0, most))
}
