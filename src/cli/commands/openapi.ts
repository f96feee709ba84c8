// Writes the OpenAPI 3.1 document of the REST API.

import { describeFile } from '../describe-file.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function printOpenapi(invocation: Invocation): Promise<number> {
  const document = await describeFile(invocation)
  if (document === undefined) return exitCodes.failed
  invocation.reporter.result({ openapi: document }, () => `${JSON.stringify(document, null, 2)}\n`)
  return exitCodes.ok
}
