// `cms-run schema`: the GraphQL schema in its definition language, as it would be served.

import type { CheckOptions } from '../app/check-config.ts'
import { checkConfig } from '../app/check-config.ts'
import { schemaDefinition } from '../app/schema-definition.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'

export async function printSchemaDefinition(file: string, options: CheckOptions, io: Io): Promise<number> {
  const colors = colorsOf(io)
  const checked = await checkConfig({ file }, options)
  const { config, model, own } = checked
  const opened =
    config === undefined || model === undefined ? undefined : await schemaDefinition({ config, model, own })
  const later = opened !== undefined && 'diagnostics' in opened ? opened.diagnostics : []
  io.err(formatReport(checked.source, [...checked.diagnostics, ...later], { colors }))
  if (opened === undefined || 'diagnostics' in opened) return exitCodes.failed
  if (opened.definition === undefined) {
    io.err('cms-run: the graphql plugin is switched off; "plugins: { graphql: true }" enables it\n')
    return exitCodes.failed
  }
  io.out(`${opened.definition}\n`)
  return exitCodes.ok
}
