// `cms-run validate` and `cms-run print-config`: a start without a socket and without the database that the file names.

import { type CheckOptions, checkConfig } from '../app/check-config.ts'
import { checkSeed } from '../app/check-seed.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { printConfig } from '../config/print-config.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'
import type { Flags } from './parse-arguments.ts'

/** The report goes to standard output where a program reads it, else to standard error. */
export async function validate(
  file: string,
  options: CheckOptions,
  { format }: Flags,
  io: Io,
): Promise<number> {
  const checked = await checkSeed(await checkConfig({ file }, options))
  const report = formatReport(checked.source, checked.diagnostics, { colors: colorsOf(io), format })
  if (format === 'text') io.err(report)
  else io.out(report)
  if (checked.config === undefined) return exitCodes.failed
  if (format === 'text') io.out(`${checked.source.name} is right\n`)
  return exitCodes.ok
}

export async function printConfigFile(
  file: string,
  options: CheckOptions,
  { format }: Flags,
  io: Io,
): Promise<number> {
  const checked = await checkConfig({ file }, options)
  io.err(formatReport(checked.source, checked.diagnostics, { colors: colorsOf(io) }))
  if (checked.config === undefined) return exitCodes.failed
  io.out(printConfig(checked.config, checked.secrets, format === 'json' ? 'json' : 'yaml'))
  return exitCodes.ok
}
