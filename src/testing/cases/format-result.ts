// Formats the results of cases for people.

import { formatReport } from '../../config/format-diagnostic.ts'
import type { SourceText } from '../../config/yaml/source-text.ts'
import type { CaseResult } from './run-cases.ts'

interface ResultOptions {
  readonly colors: boolean
}

/** Ends with a newline; empty when the case passed. */
export function formatResult(
  source: SourceText,
  { diagnostics, diff }: CaseResult,
  { colors }: ResultOptions,
): string {
  const [first, ...others] = diagnostics
  if (first === undefined) return ''
  const plain = { colors, summary: false }
  if (diff === undefined) return formatReport(source, diagnostics, plain)
  const message = others.length === 0 ? first.message : `${first.message}, and ${others.length} more`
  const lines = diff.map(({ mark, text }) => {
    const line = `  ${mark} ${text}`
    if (!colors || mark === ' ') return `${line}\n`
    return `\x1b[${mark === '-' ? 31 : 32}m${line}\x1b[0m\n`
  })
  return `${formatReport(source, [{ ...first, message }], plain)}\n  expected: -, answered: +\n${lines.join('')}`
}

/** One line for each case, the faults of those that failed, and the sum. */
export function formatResults(
  source: SourceText,
  results: readonly CaseResult[],
  options: ResultOptions,
): string {
  const lines = results.map((result) => {
    const { name, diagnostics, milliseconds } = result
    if (diagnostics.length === 0) return `ok    ${name} (${Math.round(milliseconds)} ms)\n`
    return `FAIL  ${name}\n${formatResult(source, result, options)}\n`
  })
  const passed = results.filter(({ diagnostics }) => diagnostics.length === 0).length
  return `${lines.join('')}${passed} of ${results.length} cases passed\n`
}
