// `cms-run permissions`: who may do what, as a Markdown table or JSON.

import { type CheckOptions, checkConfig } from '../app/check-config.ts'
import { matrixMarkdown, permissionMatrix } from '../app/permission-matrix.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'
import type { Flags } from './parse-arguments.ts'

export async function printPermissions(
  file: string,
  options: CheckOptions,
  { format }: Flags,
  io: Io,
): Promise<number> {
  const checked = await checkConfig({ file }, options)
  io.err(formatReport(checked.source, checked.diagnostics, { colors: colorsOf(io) }))
  const { config, model } = checked
  if (config === undefined || model === undefined) return exitCodes.failed
  const matrix = permissionMatrix(config, model)
  io.out(format === 'json' ? `${JSON.stringify(matrix, null, 2)}\n` : matrixMarkdown(matrix))
  return exitCodes.ok
}
