// Formats the result of one case for people.

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
