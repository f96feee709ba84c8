// Prints the GraphQL schema as SDL.

import { checkConfig, isValid } from '../../app/check-config.ts'
import { readSchemaDefinition } from '../../app/try-in-memory.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function printSchemaDefinition({ file, check, reporter }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  const opened = isValid(checked) ? await readSchemaDefinition(checked) : undefined
  const later = opened !== undefined && 'diagnostics' in opened ? opened.diagnostics : []
  reporter.report(checked.source, [...checked.diagnostics, ...later])
  if (opened === undefined || 'diagnostics' in opened) return exitCodes.failed
  if (opened.definition === undefined)
    return reporter.fail('the graphql plugin is switched off; "plugins: { graphql: true }" enables it')
  reporter.result({ schema: opened.definition }, `${opened.definition}\n`)
  return exitCodes.ok
}
