// Builds the OpenAPI document of the file, for commands.

import { checkConfig, isValid } from '../app/check-config.ts'
import { describeRest } from '../app/try-in-memory.ts'
import type { JsonSchema } from '../plugins/openapi-operation.ts'
import type { Invocation } from './invocation.ts'

/** Undefined if the file has errors, which are reported. */
export async function describeFile({ file, check, reporter }: Invocation): Promise<JsonSchema | undefined> {
  const checked = await checkConfig({ file }, check)
  const { source, diagnostics } = checked
  const described = isValid(checked) ? await describeRest(checked) : { diagnostics: [] }
  const isWrong = 'diagnostics' in described
  reporter.report(source, isWrong ? [...diagnostics, ...described.diagnostics] : diagnostics)
  return isWrong ? undefined : described.document
}
