// A configuration text sent by a page instead of the file's text. It may load files of the project, but
// neither uploads of clients nor files of packages.

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

export interface SentText {
  readonly text: string
  readonly loaded: ReadonlySet<string>
  /** Whether no other files may be loaded. */
  readonly onlyLoaded?: boolean
  /** Folders in which clients put files. */
  readonly uploads: readonly string[]
}

export type Refusal = (file: string) => Promise<string | undefined>

export const refusesNothing: Refusal = async () => undefined

/** Follows links, so that none leads out of the project `directory` or into `uploads`. */
export function refuseForeign(
  directory: string,
  { loaded, onlyLoaded, uploads }: Omit<SentText, 'text'>,
): Refusal {
  return async (file) => {
    if (loaded.has(file)) return undefined
    if (onlyLoaded === true) return 'edits of agents load no files that the configuration does not name yet'
    if (!isWithin(directory, file)) return OUTSIDE
    // A missing file has its path as written.
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
