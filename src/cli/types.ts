// `cms-run types`: prints TypeScript declarations of all content-types, for `cms.entries` and for clients.

import { checkConfig } from '../app/check-config.ts'
import { typeDeclarations } from '../describe/type-declarations.ts'
import { exitCodes } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'

export async function printTypes({ file, check, reporter, io }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  if (checked.model === undefined) return exitCodes.failed
  io.out(typeDeclarations(checked.model))
  return exitCodes.ok
}
