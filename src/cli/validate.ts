// `cms-run validate` and `cms-run print-config`: check the file as a start would, without a socket or its database.

import { checkConfig } from '../app/check-config.ts'
import { checkSeed } from '../app/check-seed.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { printConfig } from '../config/print-config.ts'
import { exitCodes } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'
import { colorsOf } from './io.ts'

/** Writes the report to standard output if its format is for programs, else to standard error. */
export async function validate({ file, check, command, io }: Invocation): Promise<number> {
  const { format } = command.flags
  const checked = await checkSeed(await checkConfig({ file }, check))
  const report = formatReport(checked.source, checked.diagnostics, { colors: colorsOf(io), format })
  if (format === 'text') io.err(report)
  else io.out(report)
  if (checked.config === undefined) return exitCodes.failed
  if (format === 'text') io.out(`${checked.source.name} is right\n`)
  return exitCodes.ok
}

export async function printConfigFile({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  if (checked.config === undefined) return exitCodes.failed
  io.out(printConfig(checked.config, checked.secrets, command.flags.format === 'json' ? 'json' : 'yaml'))
  return exitCodes.ok
}
