// Prints permissions as a Markdown table or JSON.

import { checkConfig } from '../../app/check-config.ts'
import { explainPermission } from '../../describe/explain-permission.ts'
import { buildPermissionMatrix, formatMatrix } from '../../describe/permission-matrix.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function printPermissions({ file, check, command, reporter }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config, model } = checked
  if (config === undefined || model === undefined) return exitCodes.failed
  const { as = 'public', explain } = command.flags
  if (explain !== undefined) {
    const explained = explainPermission(config, model, as, explain)
    if ('fault' in explained) return reporter.fail(explained.fault)
    reporter.result({ explanation: explained.text }, () => explained.text)
    return exitCodes.ok
  }
  const matrix = buildPermissionMatrix(config, model)
  reporter.result({ ...matrix }, () => formatMatrix(matrix))
  return exitCodes.ok
}
