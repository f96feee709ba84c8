// Decides from the stack whether users' code or the server caused an uncaught error or unhandled rejection.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeFault } from './describe-fault.ts'
import { listUserCodeFiles } from './user-modules.ts'

interface FaultJudgement {
  readonly owner: 'user' | 'server'
  readonly message: string
  readonly where: string | undefined
}

interface CodeLocations {
  readonly userFiles: ReadonlySet<string>
  /** Ends with a slash; contains the server's own files. */
  readonly ownDirectory: string
}

/**
 * The fault is the user's if a frame is in a user file, or if user code is loaded and no frame is in a server
 * file (such as a thrown non-Error). Otherwise it is the server's.
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
  return { userFiles: listUserCodeFiles(), ownDirectory: OWN_DIRECTORY }
}

/**
 * `src/` in a checkout, else the whole package, since its source map may change the paths of `dist/` frames.
 */
const OWN_DIRECTORY = `${dirname(dirname(fileURLToPath(import.meta.url)))}/`
