// Whether the files of an open database are still where they were opened. SQLite writes on into a file that was removed
// or renamed, and says nothing: what is written there is gone with the process, or is not found by the next start.

import { statSync } from 'node:fs'

/** One of the files is not at its path any more. */
export class FileMoved extends Error {
  override name = 'FileMoved'
}

export class FilePlace {
  readonly #files: readonly (readonly [path: string, identity: string | undefined])[]

  /** `file` is open, with its log. */
  constructor(file: string) {
    this.#files = ['', '-wal', '-shm'].map((ending) => [file + ending, identityOf(file + ending)])
  }

  /** Undefined while every path leads to the file that is open. Some microseconds. */
  get fault(): FileMoved | undefined {
    for (const [path, identity] of this.#files) {
      const now = identityOf(path)
      if (now === identity || now === UNKNOWN) continue
      const what = now === undefined ? 'is gone' : 'was replaced by another file'
      return new FileMoved(`${path} ${what} while it was open`)
    }
    return undefined
  }
}

/** A path that may not be looked at for the moment: SQLite, which has the file open, is not concerned. */
const UNKNOWN = 'unknown'

/** Undefined where there is no file. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev}:${found.ino}`
  } catch {
    return UNKNOWN
  }
}
