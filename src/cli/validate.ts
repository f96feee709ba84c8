// `cms-run validate` and `cms-run print-config`: check the file as a start would, without a socket or its database.

import { checkConfig } from '../app/check-config.ts'
import { checkSeed } from '../app/check-seed.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { printConfig, type Sections } from '../config/print-config.ts'
import type { Model } from '../model/model.ts'
import { contributionsOf, enablePlugins } from '../plugins/plugin-host.ts'
import { dataInLongForm } from '../seeding/data-in-long-form.ts'
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
  const format = command.flags.format === 'json' ? 'json' : 'yaml'
  const { model } = checked
  io.out(
    printConfig(checked.config, checked.secrets, format, (sections) =>
      model === undefined ? sections : { ...sections, data: longForm(sections, model) },
    ),
  )
  return exitCodes.ok
}

/** Users have entries of their own, which `data` may name. */
function longForm(sections: Sections, model: Model): Sections['data'] {
  const plugins = enablePlugins({ ...sections, file: undefined, directory: '' }, () => {})
  const given = contributionsOf(plugins).flatMap(({ entries }) => entries ?? [])
  return dataInLongForm(sections, model, given, Date.now())
}
