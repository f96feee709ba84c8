// Writes results to standard output and messages to standard error; with `--json` both as one document at the
// end.

import { formatReport, reportItems } from '../config/format-diagnostic.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { Flags } from './command.ts'
import { hasColors, type Io } from './io.ts'

export interface Reporter {
  report(source: SourceText, diagnostics: readonly Diagnostic[]): void
  note(message: string): void
  /** Returns the exit code. `code`: a code of docs/reference/errors.md. */
  fail(message: string, exitCode?: ExitCode, code?: string): ExitCode
  /** Keys of the JSON document, or text for standard output. */
  result(document: Readonly<Record<string, unknown>>, text: string | (() => string)): void
  /** Reports become lines of a server's log; with `--json` also the earlier ones. */
  toLog(log: Log): void
  end(exitCode: number): void
}

type ReportIo = Pick<Io, 'out' | 'err' | 'env' | 'isTty'>

export function createReporter(format: Flags['format'], io: ReportIo, lines = false): Reporter {
  return format === 'json' ? jsonReporter(io, lines) : textReporter(format, io)
}

function textReporter(format: 'text' | 'github', io: ReportIo): Reporter {
  let log: Log | undefined
  const say = (severity: 'note' | 'error', message: string): void => {
    if (log !== undefined) log[severity === 'note' ? 'info' : 'error'](message)
    else if (format === 'github') io.err(`::${severity === 'note' ? 'notice' : 'error'}::${message}\n`)
    else io.err(`cms-run: ${message}\n`)
  }
  return {
    report(source, diagnostics) {
      if (log !== undefined) logItems(log, reportItems(source, diagnostics))
      else io.err(formatReport(source, diagnostics, { colors: hasColors(io), format }))
    },
    note: (message) => say('note', message),
    fail(message, exitCode = exitCodes.failed) {
      say('error', message)
      return exitCode
    },
    result: (_document, text) => io.out(typeof text === 'string' ? text : text()),
    toLog(opened) {
      log = opened
    },
    end() {},
  }
}

interface Item {
  readonly code?: string
  readonly severity: string
  readonly message: string
}

function logItems(log: Log, diagnostics: readonly Item[]): void {
  const failed = diagnostics.some(({ severity }) => severity === 'error')
  log[failed ? 'error' : 'warn']({ diagnostics }, failed ? 'the file has errors' : 'the file has warnings')
}

function jsonReporter(io: ReportIo, lines: boolean): Reporter {
  let diagnostics: Item[] = []
  let document: Readonly<Record<string, unknown>> = {}
  let log: Log | undefined
  const take = (items: readonly Item[]): void => {
    diagnostics.push(...items)
    if (log === undefined || diagnostics.length === 0) return
    logItems(log, diagnostics)
    diagnostics = []
  }
  return {
    report: (source, found) => take(reportItems(source, found)),
    note: (message) => take([{ severity: 'note', message }]),
    fail(message, exitCode = exitCodes.failed, code = getCode(exitCode)) {
      take([{ code, severity: 'error', message }])
      return exitCode
    },
    result(result) {
      document = result
    },
    toLog(opened) {
      log = opened
      take([])
    },
    end(exitCode) {
      if (log !== undefined) return
      const ok = exitCode !== exitCodes.failed && exitCode !== exitCodes.usage
      io.out(`${JSON.stringify({ ok, ...document, diagnostics }, null, lines ? 0 : 2)}\n`)
    },
  }
}

function getCode(exitCode: ExitCode): string {
  return exitCode === exitCodes.usage ? 'CLI001' : 'CLI002'
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** Also a flag that this version does not have. */
  usage: 2,
  /** `plan --exit-code`: changes without loss of stored values. */
  changes: 3,
  /** `plan --exit-code`: stored values would be dropped. */
  destructive: 4,
} as const

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
