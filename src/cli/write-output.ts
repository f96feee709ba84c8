// Writes output to standard output, or to a file that may follow edits.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type CheckedConfig, checkConfig, isValid, type ValidConfig } from '../app/check-config.ts'
import { followEdits } from './follow-edits.ts'
import type { Invocation } from './invocation.ts'
import { exitCodes } from './reporter.ts'

type Make = (checked: ValidConfig) => Promise<string>

/** With `--follow` a wrong edit is reported, and the file stays as it is. */
export async function writeOutput(invocation: Invocation, make: Make): Promise<number> {
  const { command, reporter, io } = invocation
  const { out, follow } = command.flags
  if (follow && out === undefined)
    return reporter.fail('--watch needs to know where to: --out content.d.ts', exitCodes.usage)
  const readAt = Date.now()
  const { checked, code } = await writeOnce(invocation, make)
  if (!follow || out === undefined) return code
  return followEdits(invocation, checked.files, readAt, async () => {
    const again = await writeOnce(invocation, make)
    if (again.code === exitCodes.ok) io.err(`cms-run: ${out} is up to date\n`)
    return again.checked.files
  })
}

async function writeOnce(
  { file, check, command, reporter, io }: Invocation,
  make: Make,
): Promise<{ readonly checked: CheckedConfig; readonly code: number }> {
  const checked = await checkConfig({ file }, check)
  // `validate` and a start report warnings.
  reporter.report(
    checked.source,
    checked.diagnostics.filter(({ severity }) => severity === 'error'),
  )
  const { out } = command.flags
  if (!isValid(checked)) return { checked, code: exitCodes.failed }
  const text = await make(checked)
  if (out === undefined) {
    reporter.result({ [command.name]: text }, text)
    return { checked, code: exitCodes.ok }
  }
  try {
    replaceFile(resolve(io.cwd, out), text)
    reporter.result({ file: out }, '')
    return { checked, code: exitCodes.ok }
  } catch (error) {
    return { checked, code: reporter.fail(`${out} cannot be written: ${(error as Error).message}`) }
  }
}

/** Readers see the old text or the new one, whole. An unchanged file keeps its time. */
function replaceFile(path: string, text: string): void {
  if (formatText(path) === text) return
  mkdirSync(dirname(path), { recursive: true })
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}`)
  try {
    writeFileSync(beside, text)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

function formatText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
