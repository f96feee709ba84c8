// A configuration file of this folder, checked as `cms-run validate` would, under an environment that never changes.

import { basename, dirname } from 'node:path'
import { type CheckedConfig, checkConfig } from '../../src/app/check-config.ts'
import { formatReport } from '../../src/config/format-diagnostic.ts'

export const env = {
  SECRET: 'correct-horse-battery-staple',
  NUMBER: '4711',
  WORD: 'word',
  EMPTY: '',
}

/** The report names files as if the command had been run beside them. */
export async function checkFile(file: string): Promise<{ checked: CheckedConfig; report: string }> {
  const checked = await checkConfig({ file }, { env })
  const report = formatReport(checked.source, checked.diagnostics, { colors: false })
  return { checked, report: report.replaceAll(`${dirname(file)}/`, '').replaceAll(file, basename(file)) }
}
