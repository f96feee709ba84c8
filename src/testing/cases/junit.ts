// Formats results of cases as JUnit's XML, which build servers read.

import type { SourceText } from '../../config/yaml/source-text.ts'
import { formatResult } from './format-result.ts'
import type { CaseResult } from './run-cases.ts'

export function formatJunit(source: SourceText, results: readonly CaseResult[]): string {
  const failed = results.filter(({ diagnostics }) => diagnostics.length > 0).length
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)
  const total = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const lines = results.map((result) => {
    const { name, diagnostics, milliseconds } = result
    const head = `    <testcase classname="${escaped(source.name)}" name="${escaped(name)}" time="${seconds(milliseconds)}"`
    const [first] = diagnostics
    if (first === undefined) return `${head}/>\n`
    const report = escaped(formatResult(source, result, { colors: false }))
    return `${head}>\n      <failure message="${escaped(first.message)}">${report}</failure>\n    </testcase>\n`
  })
  const counts = `tests="${results.length}" failures="${failed}" time="${seconds(total)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="${escaped(source.name)}" ${counts}>\n${lines.join('')}  </testsuite>\n</testsuites>\n`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML cannot represent most control characters. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"]|\p{Cc}/gu, (one) => ENTITIES[one] ?? (/[\t\n\r]/.test(one) ? one : ''))
}
