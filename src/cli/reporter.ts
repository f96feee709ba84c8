// Writes a command's messages to standard error, apart from its result: as text, as annotations for GitHub, or, with
// `--json`, as one array when the command ends.

import { formatReport, reportItems } from '../config/format-diagnostic.ts'
import type { SourceText } from '../config/source-text.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'
import type { Flags } from './parse-arguments.ts'

export interface Reporter {
  /** Reports errors and warnings in the files. */
  report(source: SourceText, diagnostics: readonly Diagnostic[]): void
  note(message: string): void
  /** Reports why the command failed; returns the exit code. */
  fail(message: string, exitCode?: number): number
  /** Writes collected messages; called when the command ends. */
  end(): void
}

export function createReporter(format: Flags['format'], io: Pick<Io, 'err' | 'env' | 'isTty'>): Reporter {
  const items: unknown[] = []
  const say = (severity: 'note' | 'error', message: string): void => {
    if (format === 'json') items.push({ severity, message })
    else if (format === 'github') io.err(`::${severity === 'note' ? 'notice' : 'error'}::${message}\n`)
    else io.err(`cms-run: ${message}\n`)
  }
  return {
    report(source, diagnostics) {
      if (format === 'json') items.push(...reportItems(source, diagnostics))
      else io.err(formatReport(source, diagnostics, { colors: colorsOf(io), format }))
    },
    note: (message) => say('note', message),
    fail(message, exitCode = exitCodes.failed) {
      say('error', message)
      return exitCode
    },
    end() {
      if (items.length > 0) io.err(`${JSON.stringify(items, null, 2)}\n`)
    },
  }
}
