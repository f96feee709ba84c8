// Judges what the check says of a mistake.

import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { type CheckedConfig, checkConfig } from '../../../src/app/check-config.ts'
import { checkSeed } from '../../../src/app/check-seed.ts'
import { formatReport, reportItems } from '../../../src/config/format-diagnostic.ts'
import { maskConfig } from '../../../src/config/print-config.ts'
import { toLongForm } from '../../../src/write/seeding/data-in-long-form.ts'
import type { Mistake } from './mutate.ts'

/** Secrets come from here, so that no file's own text holds them: a report must show none. */
const ENV = { JWT_SECRET: 'a-secret-of-the-environment-that-no-report-shows' }

export interface Verdict {
  /** `same`: it says what it said before, perhaps in another form, so there is nothing to report. `silent`: something else. */
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
  const checked = await checkConfig({ file }, { env: ENV })
  const { source, diagnostics } = await checkSeed(checked)
  const report = formatReport(source, diagnostics, { colors: false })
  if (diagnostics.length === 0) {
    const outcome = isDeepStrictEqual(shownOf(checked), await shownAt(original, file)) ? 'same' : 'silent'
    return { outcome, suggested: outcome === 'same', report }
  }
  const there = reportItems(source, diagnostics).filter(({ line }) => lines.includes(line))
  const suggested = there.some(
    ({ help = '', message }) => meant !== undefined && `${help} ${message}`.includes(meant),
  )
  return { outcome: there.length > 0 ? 'on the line' : 'elsewhere', suggested, report }
}

/** What `print-config` shows: two forms of the same are the same there. */
function shownOf({ config, model, secrets }: CheckedConfig): unknown {
  if (config === undefined || model === undefined) return undefined
  const data = toLongForm(config, model, [], 0)
  return maskConfig(config, secrets, (sections) => ({ ...sections, data }))
}

async function shownAt(text: string, file: string): Promise<unknown> {
  writeFileSync(file, text)
  return shownOf(await checkConfig({ file }, { env: ENV }))
}

function isSame(original: string, text: string): boolean {
  try {
    return isDeepStrictEqual(parse(original), parse(text))
  } catch {
    return false
  }
}
