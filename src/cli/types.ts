// `cms-run types`: TypeScript declarations of all content-types, for `cms.entries` and for clients.

import { type CheckOptions, checkConfig } from '../app/check-config.ts'
import { typeDeclarations } from '../app/describe/type-declarations.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { exitCodes } from './exit-codes.ts'
import { colorsOf, type Io } from './io.ts'

export async function printTypes(file: string, options: CheckOptions, io: Io): Promise<number> {
  const checked = await checkConfig({ file }, options)
  io.err(formatReport(checked.source, checked.diagnostics, { colors: colorsOf(io) }))
  if (checked.model === undefined) return exitCodes.failed
  io.out(typeDeclarations(checked.model))
  return exitCodes.ok
}
