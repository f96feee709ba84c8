// Checks the file as a start would, without a socket or its database.

import { checkConfig } from '../../app/check-config.ts'
import { checkSeed } from '../../app/check-seed.ts'
import { formatReport } from '../../config/format-diagnostic.ts'
import { maskConfig, printConfig, type Sections } from '../../config/print-config.ts'
import { ownTypes } from '../../model/actions.ts'
import type { Model } from '../../model/model.ts'
import { enablePlugins, listContributions } from '../../plugins/plugin-host.ts'
import { listPath } from '../../rest/rest-paths.ts'
import { toLongForm } from '../../write/seeding/data-in-long-form.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

/** Shows routes, since plural names are derived. Annotations for GitHub go to standard output. */
export async function validate({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { format } = command.flags
  const checked = await checkSeed(await checkConfig({ file }, check))
  const { source, diagnostics, config, model } = checked
  if (format === 'github') io.out(formatReport(source, diagnostics, { colors: false, format }))
  else reporter.report(source, diagnostics)
  if (config === undefined || model === undefined) {
    reporter.result({ file: source.name }, '')
    return exitCodes.failed
  }
  const types = ownTypes(model)
  const paths = types.map((type) => listPath(type, config.rest.prefix))
  const document = Object.fromEntries(types.map(({ uid }, index) => [uid, paths[index]]))
  const text = `${source.name} is valid\n${paths.map((path) => `  ${path}\n`).join('')}`
  reporter.result({ file: source.name, paths: document }, format === 'text' ? text : '')
  return exitCodes.ok
}

export async function printConfigFile({ file, check, reporter }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config, secrets, model } = checked
  if (config === undefined) return exitCodes.failed
  const complete = (sections: Sections): Sections =>
    model === undefined ? sections : { ...sections, data: longForm(sections, model) }
  reporter.result({ config: maskConfig(config, secrets, complete) }, () =>
    printConfig(config, secrets, complete),
  )
  return exitCodes.ok
}

/** `data` may refer to users, entries of a plugin. */
function longForm(sections: Sections, model: Model): Sections['data'] {
  const plugins = enablePlugins({ ...sections, file: undefined, directory: '', ownPlugins: {} }, () => {})
  const given = listContributions(plugins).flatMap(({ entries }) => entries ?? [])
  return toLongForm(sections, model, given, Date.now())
}
