// Opens the content of the file for a command that writes entries beside a server.

import { checkConfig, isValid } from '../../app/check-config.ts'
import { openBeside } from '../../app/open-beside.ts'
import type { Model } from '../../model/model.ts'
import { createLog } from '../../observe/log/create-log.ts'
import type { Content } from '../../write/content.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { findUnreadable } from './with-stored-database.ts'

export async function withContent(
  { file, check, reporter, io }: Invocation,
  what: string,
  task: (content: Content, model: Model) => Promise<number>,
): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  if (!isValid(checked)) return exitCodes.failed
  const fault = findUnreadable(checked.config, what)
  if (fault !== undefined) return reporter.fail(fault)
  const log = createLog({ level: 'warn', format: 'json', colors: false, write: (text) => io.err(text) })
  const opened = await openBeside(checked, log)
  if ('diagnostics' in opened) {
    reporter.report(checked.source, opened.diagnostics)
    return exitCodes.failed
  }
  if ('fits' in opened)
    return reporter.fail(
      'the database does not have the tables of this file yet: start the server once ("cms-run plan" shows what that changes)',
    )
  try {
    return await task(opened.content, checked.model)
  } finally {
    await opened.close()
  }
}
