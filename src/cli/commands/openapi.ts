// `cms-run openapi`: writes the OpenAPI 3.1 document of the REST API as JSON.

import { checkConfig } from '../../app/check-config.ts'
import { describeRest } from '../../app/try-in-memory.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function printOpenapi({ file, check, reporter }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  const { config, model, own } = checked
  const described =
    config === undefined || model === undefined ? undefined : await describeRest({ config, model, own })
  const later = described !== undefined && 'diagnostics' in described ? described.diagnostics : []
  reporter.report(checked.source, [...checked.diagnostics, ...later])
  if (described === undefined || 'diagnostics' in described) return exitCodes.failed
  const { document } = described
  reporter.result({ openapi: document }, () => `${JSON.stringify(document, null, 2)}\n`)
  return exitCodes.ok
}
