// Decides whether users' code or the server caused a fault that reached the top of the process (an uncaught error, an
// unhandled rejection). Node gives nothing but the stack, so the stack decides (decision 0014).

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeFault } from './describe-fault.ts'
import { filesOfUserCode } from './user-modules.ts'

interface FaultJudgement {
  /** `user`: the server's own state is intact, and the server goes on. */
  readonly owner: 'user' | 'server'
  readonly message: string
  /** The place in the user's files that the fault came from. */
  readonly where: string | undefined
}

interface CodeLocations {
  /** Absolute paths of users' files. */
  readonly userFiles: ReadonlySet<string>
  /** Ends with a slash; contains the server's own files. */
  readonly ownDirectory: string
}

/**
 * The fault is the user's if a frame is in one of the user's files, or if user code has been loaded and no frame is in
 * a file of the server (a package of the user, a bare event of Node, a value that is no Error). Every other fault is
 * the server's.
 */
export function judgeFault(
  fault: unknown,
  locations: CodeLocations = codeLocationsOfProcess(),
): FaultJudgement {
  const { userFiles, ownDirectory } = locations
  const { message, where } = describeFault(fault, [...userFiles])
  const stack = fault instanceof Error ? (fault.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const ours = frames.some((line) => line.includes(ownDirectory))
  const owner = where !== undefined || (!ours && userFiles.size > 0) ? 'user' : 'server'
  return { owner, message, where }
}

function codeLocationsOfProcess(): CodeLocations {
  return { userFiles: filesOfUserCode(), ownDirectory: OWN_DIRECTORY }
}

/** `src/` in a checkout; the whole published package, since its source map may change the paths of `dist/` frames. */
const OWN_DIRECTORY = `${dirname(dirname(fileURLToPath(import.meta.url)))}/`
