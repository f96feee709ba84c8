// Judges what the check says of a mistake.

import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { checkConfig } from '../../../src/app/check-config.ts'
import { checkSeed } from '../../../src/app/check-seed.ts'
import { formatReport, reportItems } from '../../../src/config/format-diagnostic.ts'
import type { Mistake } from './mutate.ts'

export interface Verdict {
  /** `same`: the file says what it said before, so there is nothing to report. `silent`: it says something else. */
  readonly outcome: 'same' | 'silent' | 'elsewhere' | 'on the line'
  /** Whether a help on the line names the word that was meant. */
  readonly suggested: boolean
  readonly report: string
}

/** `file`: where the text is written for the check, beside the files that it names. */
export async function judge(mistake: Mistake, original: string, file: string): Promise<Verdict> {
  const { text, lines, meant } = mistake
  if (isSame(original, text)) return { outcome: 'same', suggested: true, report: '' }
  writeFileSync(file, text)
  const checked = await checkConfig({ file }, { env: {} })
  const { source, diagnostics } = checked.config === undefined ? checked : await checkSeed(checked)
  const report = formatReport(source, diagnostics, { colors: false })
  if (diagnostics.length === 0) return { outcome: 'silent', suggested: false, report }
  const there = reportItems(source, diagnostics).filter(({ line }) => lines.includes(line))
  const suggested = there.some(
    ({ help = '', message }) => meant !== undefined && `${help} ${message}`.includes(meant),
  )
  return { outcome: there.length > 0 ? 'on the line' : 'elsewhere', suggested, report }
}

function isSame(original: string, text: string): boolean {
  try {
    return isDeepStrictEqual(parse(original), parse(text))
  } catch {
    return false
  }
}
