// Formats diagnostics as text with code frames, JSON for programs, or annotations for GitHub.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { toPrintable } from '../lib/printable.ts'
import { buildCodeFrame } from './code-frame.ts'
import { getPlace, type LocatedDiagnostic, type SourceText } from './yaml/source-text.ts'

export interface ReportOptions {
  readonly colors: boolean
  readonly format?: 'text' | 'json' | 'github'
  readonly summary?: boolean
}

/** A text report counts the rest. */
const MAX_SHOWN_DIAGNOSTICS = 100

/** Ends with a newline; empty without diagnostics (`[]` as JSON). Sorted by position. */
export function formatReport(
  source: SourceText,
  diagnostics: readonly Diagnostic[],
  options: ReportOptions,
): string {
  if (options.format === 'json') return `${JSON.stringify(reportItems(source, diagnostics), undefined, 2)}\n`
  const located = inOrder(source, diagnostics)
  if (located.length === 0) return ''
  const shown = located.slice(0, MAX_SHOWN_DIAGNOSTICS)
  if (options.format === 'github') return `${shown.map(asAnnotation).join('\n')}\n`
  const paint = options.colors ? colored : plain
  const texts = shown.map((diagnostic) => `${asText(diagnostic, paint)}\n`)
  // A summary would only repeat the single error.
  if (located.every((diagnostic) => diagnostic.source.text === '')) return texts.join('')
  if (options.summary === false) return texts.join('\n')
  return `${texts.join('\n')}\n${summary(located)}\n`
}

export function reportItems(source: SourceText, diagnostics: readonly Diagnostic[]) {
  return inOrder(source, diagnostics).map(asJson)
}

/** Removes duplicates: a fault inside an anchor is reported for every alias. */
function inOrder(source: SourceText, diagnostics: readonly Diagnostic[]): readonly LocatedDiagnostic[] {
  const located = diagnostics.map((diagnostic) => getPlace(diagnostic, source))
  located.sort(
    (a, b) =>
      Number(a.source !== source) - Number(b.source !== source) ||
      compare(a.file, b.file) ||
      a.start.line - b.start.line ||
      a.start.column - b.start.column ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  )
  const seen = new Set<string>()
  return located.filter(({ file, start, code, message }) => {
    const key = `${file}\0${start.line}\0${start.column}\0${code}\0${message}`
    return !seen.has(key) && seen.add(key)
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Paint = Readonly<Record<'error' | 'warning' | 'frame' | 'strong', (text: string) => string>>

const plain: Paint = {
  error: (text) => text,
  warning: (text) => text,
  frame: (text) => text,
  strong: (text) => text,
}

const colored: Paint = {
  error: (text) => `\x1b[1;31m${text}\x1b[0m`,
  warning: (text) => `\x1b[1;33m${text}\x1b[0m`,
  frame: (text) => `\x1b[34m${text}\x1b[0m`,
  strong: (text) => `\x1b[1m${text}\x1b[0m`,
}

function asText(diagnostic: LocatedDiagnostic, paint: Paint): string {
  const { code, severity, message, help, file, source, start } = diagnostic
  const lines = [`${paint[severity](`${severity}[${code}]`)}${paint.strong(`: ${toPrintable(message)}`)}`]
  const frame = buildCodeFrame(diagnostic)
  const number = String(start.line)
  const gutter = ' '.repeat(frame === undefined ? 1 : number.length)
  if (source.text !== '') lines.push(`${gutter} ${paint.frame('-->')} ${file}:${number}:${start.column}`)
  if (frame !== undefined) {
    const mark = paint[severity](frame.marks.trimStart())
    const indent = ' '.repeat(frame.marks.length - frame.marks.trimStart().length)
    lines.push(
      `${gutter} ${paint.frame('|')}`,
      `${paint.frame(`${number} |`)} ${frame.line}`,
      `${gutter} ${paint.frame('|')} ${indent}${mark}`,
    )
  }
  if (help !== undefined) lines.push(`${gutter} ${paint.frame('=')} help: ${toPrintable(help)}`)
  return lines.join('\n')
}

/** `2 errors, 1 warning in cms.yaml`. */
function summary(located: readonly LocatedDiagnostic[]): string {
  const errors = located.filter(({ severity }) => severity === 'error').length
  const warnings = located.length - errors
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((text) => text !== undefined)
  const files = [...new Set(located.map(({ file }) => file))]
  const shown = located.length > MAX_SHOWN_DIAGNOSTICS ? `; the first ${MAX_SHOWN_DIAGNOSTICS} are shown` : ''
  return `${counts.join(', ')} in ${files.join(', ')}${shown}`
}

function count(number: number, word: string): string | undefined {
  return number === 0 ? undefined : `${number} ${word}${number === 1 ? '' : 's'}`
}

function asJson(diagnostic: LocatedDiagnostic) {
  const { code, severity, message, help, file, start, end, path } = diagnostic
  return {
    code,
    severity,
    message,
    ...(help === undefined ? {} : { help }),
    file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    path,
  }
}

function asAnnotation(diagnostic: LocatedDiagnostic): string {
  const { code, severity, message, help, file, start, end } = diagnostic
  const properties = [
    ['file', file],
    ['line', start.line],
    ['endLine', end.line],
    ['col', start.column],
    ...(end.line === start.line ? ([['endColumn', end.column]] as const) : []),
    ['title', code],
  ] as const
  const text = help === undefined ? message : `${message}\nhelp: ${help}`
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${severity} ${written.join(',')}::${escapeText(text)}`
}

function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
