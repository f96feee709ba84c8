// `register`, `bootstrap` and functions that make extensions are waited for by a start or a reload: each has a time, and
// what is said of it names it.

import { clearTimeout, setTimeout } from 'node:timers'
import type { DiagnosticPath, Report } from '../errors/diagnostic.ts'
import type { UserExtension } from '../plugins/graphql-customization.ts'
import { describeFault } from './describe-fault.ts'
import { inTime, seconds, TookTooLong } from './in-time.ts'
import type { OwnCode } from './own-code.ts'
import type { UserCms } from './user-cms.ts'
import type { UserFunction } from './watch-time.ts'

/** Milliseconds: it only says what the schema shall have. */
export const LONGEST_REGISTER = 10_000
const NOTICE_AFTER = 5_000

export interface HookCall {
  readonly what: 'register' | 'bootstrap'
  /** The file, or the program. */
  readonly of: string
  readonly path: DiagnosticPath
  readonly longest: number
}

/** Reports what it throws, and that it was not done in time. */
export async function runHook(
  { what, of, path, longest }: HookCall,
  { own, log }: { readonly own: OwnCode; readonly log: UserCms['log'] },
  report: Report,
  task: () => unknown,
): Promise<void> {
  const name = `${what}() of ${of}`
  const notice = setTimeout(
    () =>
      log.warn(`${name} still runs after ${seconds(NOTICE_AFTER)}; nothing else is loaded until it is done`),
    NOTICE_AFTER,
  )
  try {
    await inTime(task, longest, name)
  } catch (fault) {
    if (fault instanceof TookTooLong) {
      const help =
        'longer work is begun there and not awaited; "server.limits.bootstrap" gives bootstrap more time'
      report({ code: 'USR009', severity: 'error', path, message: fault.message, help })
      return
    }
    const { message, where } = describeFault(fault, own.code.files)
    report({
      code: 'USR009',
      severity: 'error',
      path,
      message: `${what}() failed: ${message}`,
      ...(where === undefined ? {} : { help: where }),
    })
  } finally {
    clearTimeout(notice)
  }
}

/** A function that makes an extension has as long as `register`. */
export function extensionInTime(registered: UserExtension): UserExtension {
  const { extension, name } = registered
  if (typeof extension !== 'function') return registered
  const make = extension as UserFunction
  return {
    ...registered,
    extension: (tools: unknown) => inTime(() => make(tools), LONGEST_REGISTER, `the extension of ${name}`),
  }
}
