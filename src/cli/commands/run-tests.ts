// `cms-run test cases.yaml`: runs cases in YAML against the file that they name, in memory.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkConfig, isValid } from '../../app/check-config.ts'
import { checkSeed } from '../../app/check-seed.ts'
import { junitOf } from '../../cases/junit.ts'
import { readCases } from '../../cases/parse-cases.ts'
import { runCases } from '../../cases/run-cases.ts'
import { configOf, openFor } from '../../cases/test-cases.ts'
import { formatReport } from '../../config/format-diagnostic.ts'
import type { Invocation } from '../invocation.ts'
import { colorsOf } from '../io.ts'
import { exitCodes } from '../reporter.ts'

export async function runTests({ command, io, reporter }: Invocation): Promise<number> {
  const name = command.file ?? 'cases.yaml'
  const file = resolve(io.cwd, name)
  const cases = readCases(file, name)
  reporter.report(cases.source, cases.diagnostics)
  if (cases.diagnostics.length > 0) return exitCodes.failed
  const { format, out } = command.flags
  const checked = await checkSeed(await checkConfig({ file: configOf(cases, file) }, { env: io.env }))
  if (!isValid(checked)) {
    reporter.report(checked.source, checked.diagnostics)
    return exitCodes.failed
  }
  await using cms = await openFor(cases, file, { env: io.env })
  const results = await runCases(cms, cases.cases)
  if (out !== undefined) writeFileSync(resolve(io.cwd, out), junitOf(cases.source, results))
  const failed = results.filter(({ diagnostics }) => diagnostics.length > 0)
  if (format !== 'text') for (const { diagnostics } of failed) reporter.report(cases.source, diagnostics)
  const lines = results.map(({ name: called, diagnostics, milliseconds }) => {
    if (diagnostics.length === 0) return `ok    ${called} (${Math.round(milliseconds)} ms)\n`
    return `FAIL  ${called}\n${formatReport(cases.source, diagnostics, { colors: colorsOf(io) })}\n`
  })
  const sum = `${results.length - failed.length} of ${results.length} cases passed\n`
  const document = results.map(({ name: called, diagnostics, milliseconds }) => ({
    name: called,
    passed: diagnostics.length === 0,
    milliseconds: Math.round(milliseconds),
  }))
  reporter.result({ cases: document }, format === 'text' ? lines.join('') + sum : '')
  return failed.length === 0 ? exitCodes.ok : exitCodes.failed
}
