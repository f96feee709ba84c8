// Runs users' hooks with a time limit, because a start or a reload waits for them.

import { clearTimeout, setTimeout } from 'node:timers'
import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { UserExtension } from '../plugins/graphql-customization.ts'
import { describeFault } from './describe-fault.ts'
import type { OwnCode } from './own-code.ts'
import type { UserCms } from './user-cms.ts'
import type { UserFunction } from './watch-time.ts'
import { formatSeconds, TimedOut, withTimeout } from './with-timeout.ts'

export const REGISTER_TIMEOUT_MS = 10_000
const NOTICE_DELAY_MS = 5_000

interface HookCall {
  readonly what: 'register' | 'bootstrap'
  readonly of: string
  readonly path: DiagnosticPath
  readonly longest: number
}

/** Reports an error that the hook throws, or that it exceeded its time. */
export async function runHook(
  { what, of, path, longest }: HookCall,
  { own, log }: { readonly own: OwnCode; readonly log: UserCms['log'] },
  report: Report,
  task: () => unknown,
): Promise<void> {
  const name = `${what}() of ${of}`
  const notice = setTimeout(
    () =>
      log.warn(
        `${name} still runs after ${formatSeconds(NOTICE_DELAY_MS)}; nothing else is loaded until it is done`,
      ),
    NOTICE_DELAY_MS,
  )
  try {
    await withTimeout(task, longest, name)
  } catch (fault) {
    if (fault instanceof TimedOut) {
      const help =
        'start longer work without awaiting it; "server.limits.bootstrap" gives bootstrap more time'
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

/** A function that returns an extension has the same time limit as `register`. */
export function limitExtensionTime(
  registered: UserExtension,
  within: (make: () => unknown) => Promise<unknown>,
): UserExtension {
  const { extension, name } = registered
  if (typeof extension !== 'function') return registered
  const make = extension as UserFunction
  return {
    ...registered,
    extension: (tools: unknown) =>
      withTimeout(() => within(() => make(tools)), REGISTER_TIMEOUT_MS, `the extension of ${name}`),
  }
}
