// Describes an error of users' code: its first line, and its position in the user's files.

import { relative } from 'node:path'

const MAX_PLACES = 5

interface FaultDescription {
  readonly message: string
  /** `at policies/is-owner.ts:3:9, called from …`; undefined when the stack contains no user file. */
  readonly where: string | undefined
}

/** Shows paths relative to `directory`. */
export function describeFault(
  fault: unknown,
  files: readonly string[],
  directory: string = process.cwd(),
): FaultDescription {
  if (!(fault instanceof Error)) return { message: String(fault), where: undefined }
  const lines = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const places = lines.flatMap((line) => {
    const file = files.find((one) => line.includes(`${one}:`))
    const place = /:\d+:\d+(?=\)?$)/.exec(line)?.[0] ?? ''
    return file === undefined ? [] : [`${relative(directory, file)}${place}`]
  })
  return {
    message: `${fault.name}: ${fault.message}`,
    where: places.length === 0 ? undefined : `at ${places.slice(0, MAX_PLACES).join(', called from ')}`,
  }
}
