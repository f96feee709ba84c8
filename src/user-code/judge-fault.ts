// A fault that reached the top of the process (an error that nobody caught, a promise that nobody waits for) -> whose it
// is. Node tells nothing but the stack, so the stack decides (decision 0078).

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeFault } from './describe-fault.ts'
import { filesOfUserCode } from './user-modules.ts'

export interface FaultJudgement {
  /** Of users' code: what the server holds is as it was, and it goes on. */
  readonly owner: 'user' | 'server'
  readonly message: string
  /** Where in the user's files it came from. */
  readonly where: string | undefined
}

export interface Sides {
  /** Absolute paths of users' files. */
  readonly userFiles: ReadonlySet<string>
  /** Ends with a slash: the server's own files lie below it. */
  readonly ownDirectory: string
}

/**
 * The user's: a frame is in one of the user's files; or no frame is in ours (a package of the user's, a bare event of
 * Node, a value that is no Error) and code of the user's has been loaded. Everything else is ours.
 */
export function judgeFault(fault: unknown, sides: Sides = sidesOfProcess()): FaultJudgement {
  const { userFiles, ownDirectory } = sides
  const { message, where } = describeFault(fault, [...userFiles])
  const stack = fault instanceof Error ? (fault.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const ours = frames.some((line) => line.includes(ownDirectory))
  const owner = where !== undefined || (!ours && userFiles.size > 0) ? 'user' : 'server'
  return { owner, message, where }
}

function sidesOfProcess(): Sides {
  return { userFiles: filesOfUserCode(), ownDirectory: OWN_DIRECTORY }
}

/** `src/` in a checkout; of a package the whole of it, since its source map may turn frames in `dist/` into others. */
const OWN_DIRECTORY = `${dirname(dirname(fileURLToPath(import.meta.url)))}/`
