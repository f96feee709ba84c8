// A text that a page sends in the place of the file's: it may have files of the project loaded, but none that clients have
// put there, and none of a package.

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

export interface SentText {
  readonly text: string
  /** Absolute paths of the files from which the live configuration was made. */
  readonly loaded: ReadonlySet<string>
  /** Absolute paths of folders in which clients put files. */
  readonly uploads: readonly string[]
}

/** Why a file may not be loaded, or undefined. */
export type Refusal = (file: string) => Promise<string | undefined>

/** For a configuration whose text is the author's. */
export const refusesNothing: Refusal = async () => undefined

/** `directory`: of the project. Links are followed, so that none leads out of it or into `uploads`. */
export function refusesForeign(directory: string, { loaded, uploads }: Omit<SentText, 'text'>): Refusal {
  return async (file) => {
    if (loaded.has(file)) return undefined
    if (!isWithin(directory, file)) return OUTSIDE
    // Of a file that is not there, the path as it is written.
    const [project = directory, real = file] = await Promise.all([followed(directory), followed(file)])
    if (!isWithin(project, real)) return OUTSIDE
    if (relative(project, real).split(sep).includes('node_modules')) return 'it belongs to a package'
    for (const folder of uploads)
      if (isWithin(folder, file) || isWithin((await followed(folder)) ?? folder, real))
        return 'it is in a folder of uploads'
    return undefined
  }
}

const OUTSIDE = 'it is outside of the project, and the text comes from a page'

async function followed(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch {
    return undefined
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
