// Runs cases against a file in memory, for an agent that edits the file.

import { dirname, join, resolve } from 'node:path'
import { formatReport } from '../config/format-diagnostic.ts'
import { ToolFault } from '../plugins/agent-tools.ts'
import { formatResults } from '../testing/cases/format-result.ts'
import { parseCases, readCases } from '../testing/cases/parse-cases.ts'
import { runCases } from '../testing/cases/run-cases.ts'
import { getConfig, openFor } from '../testing/cases/test-cases.ts'

const NAME = 'cases.yaml'

/** `text`: cases as YAML; undefined: those of the file `cases.yaml` beside `file`. */
export async function runCasesForAgent(
  file: string,
  text: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const place = join(dirname(resolve(file)), NAME)
  const read = text === undefined ? readCases(place, NAME) : parseCases(text, NAME)
  if (read.diagnostics.length > 0)
    throw new ToolFault(formatReport(read.source, read.diagnostics, { colors: false }))
  if (read.config !== undefined && getConfig(read, place) !== resolve(file))
    throw new ToolFault(`The cases are those of another file (config: ${read.config}).`)
  const cases = { ...read, config: resolve(file) }
  const cms = await openFor(cases, place, { env }).catch((error: Error) => error)
  if (cms instanceof Error) throw new ToolFault(cms.message)
  try {
    return formatResults(cases.source, await runCases(cms, cases.cases), { colors: false })
  } finally {
    await cms.close()
  }
}
