// Compares a deployment with the OpenAPI document of the file.

import { buildFault, createSource, type Source } from '../../http/source.ts'
import { type ContractDifference, checkDeployment } from '../../testing/contract/check-deployment.ts'
import { describeFile } from '../describe-file.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function check(invocation: Invocation): Promise<number> {
  const { file, command, reporter, io } = invocation
  const { against = '', token = io.env['CMS_CHECK_TOKEN'] } = command.flags
  const document = await describeFile(invocation)
  if (document === undefined) return exitCodes.failed
  let source: Source
  try {
    source = createSource(against)
    await source.ask({ method: 'GET', target: '/_health' })
  } catch (error) {
    return reporter.fail(
      error instanceof TypeError && error.cause === undefined
        ? error.message
        : `${against} does not answer: ${buildFault(error)}`,
    )
  }
  const { asked, drift, unread } = await checkDeployment(document, source, token)
  const lines = (word: string, findings: readonly ContractDifference[]): readonly string[] =>
    findings.map(({ operation, message }) => `${word.padEnd(6)}${operation}: ${message}\n`)
  const sum =
    drift.length === 0
      ? `${asked} requests are answered as ${file} says\n`
      : `${drift.length} ${drift.length === 1 ? 'response differs' : 'responses differ'} from what ${file} says\n`
  reporter.result(
    { asked, drift, unread },
    [...lines('drift', drift), ...lines('note', unread), sum].join(''),
  )
  return drift.length === 0 ? exitCodes.ok : exitCodes.failed
}
