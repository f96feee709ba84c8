// `cms-run openapi`: the OpenAPI 3.1 document of the REST API, as JSON.

import { type CheckOptions, checkConfig } from '../app/check-config.ts'
import { describeRest } from '../app/describe/describe-rest.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'

export async function printOpenapi(file: string, options: CheckOptions, io: Io): Promise<number> {
  const checked = await checkConfig({ file }, options)
  const { config, model, own } = checked
  const described =
    config === undefined || model === undefined ? undefined : await describeRest({ config, model, own })
  const later = described !== undefined && 'diagnostics' in described ? described.diagnostics : []
  io.err(formatReport(checked.source, [...checked.diagnostics, ...later], { colors: colorsOf(io) }))
  if (described === undefined || 'diagnostics' in described) return exitCodes.failed
  io.out(`${JSON.stringify(described.document, null, 2)}\n`)
  return exitCodes.ok
}
