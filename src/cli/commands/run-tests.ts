// Runs cases in YAML against the file that they name, in memory.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkConfig, isValid } from '../../app/check-config.ts'
import { checkSeed } from '../../app/check-seed.ts'
import { formatResults } from '../../testing/cases/format-result.ts'
import { formatJunit } from '../../testing/cases/junit.ts'
import { readCases } from '../../testing/cases/parse-cases.ts'
import { runCases } from '../../testing/cases/run-cases.ts'
import { getConfig, openFor } from '../../testing/cases/test-cases.ts'
import { followEdits } from '../follow-edits.ts'
import type { Invocation } from '../invocation.ts'
import { hasColors } from '../io.ts'
import { exitCodes } from '../reporter.ts'

export async function runTests(invocation: Invocation): Promise<number> {
  const { command, io } = invocation
  const readAt = Date.now()
  const { files, code } = await runOnce(invocation)
  if (!command.flags.follow) return code
  return followEdits(invocation, files, readAt, async () => {
    io.err('cms-run: edited, the cases run again\n')
    return (await runOnce(invocation)).files
  })
}

async function runOnce({
  command,
  io,
  reporter,
}: Invocation): Promise<{ readonly files: readonly string[]; readonly code: number }> {
  const name = command.file ?? 'cases.yaml'
  const file = resolve(io.cwd, name)
  const cases = readCases(file, name)
  reporter.report(cases.source, cases.diagnostics)
  if (cases.diagnostics.length > 0) return { files: [file], code: exitCodes.failed }
  const { format, out } = command.flags
  const checked = await checkSeed(await checkConfig({ file: getConfig(cases, file) }, { env: io.env }))
  const files = [file, ...checked.files]
  if (!isValid(checked)) {
    reporter.report(checked.source, checked.diagnostics)
    return { files, code: exitCodes.failed }
  }
  await using cms = await openFor(cases, file, { env: io.env })
  const results = await runCases(cms, cases.cases)
  if (out !== undefined) writeFileSync(resolve(io.cwd, out), formatJunit(cases.source, results))
  const failed = results.filter(({ diagnostics }) => diagnostics.length > 0)
  if (format !== 'text') for (const { diagnostics } of failed) reporter.report(cases.source, diagnostics)
  const document = results.map(({ name: called, diagnostics, milliseconds }) => ({
    name: called,
    passed: diagnostics.length === 0,
    milliseconds: Math.round(milliseconds),
  }))
  reporter.result(
    { cases: document },
    format === 'text' ? formatResults(cases.source, results, { colors: hasColors(io) }) : '',
  )
  return { files, code: failed.length === 0 ? exitCodes.ok : exitCodes.failed }
}
