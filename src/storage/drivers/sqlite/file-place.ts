// Checks that the files of an open database are still at their paths. SQLite continues to write into a file that was
// removed or renamed, without an error: those writes are lost with the process, or not found by the next start.

import { statSync } from 'node:fs'

/** One of the files is no longer at its path. */
export class FileMoved extends Error {
  override name = 'FileMoved'
}

export class FilePlace {
  readonly #path: string
  readonly #files: readonly (readonly [path: string, identity: string | undefined])[]

  /** `file` must be open, with its log. */
  constructor(file: string) {
    this.#path = file
    this.#files = ['', '-wal', '-shm'].map((ending) => [file + ending, getIdentity(file + ending)])
  }

  /** Of the database and its log, in bytes. */
  get size(): number {
    return ['', '-wal'].reduce((size, ending) => size + getSize(this.#path + ending), 0)
  }

  /** Undefined while every path leads to the open file. The check takes a few microseconds. */
  get fault(): FileMoved | undefined {
    for (const [path, identity] of this.#files) {
      const now = getIdentity(path)
      if (now === identity || now === UNKNOWN) continue
      const what = now === undefined ? 'is gone' : 'was replaced by another file'
      return new FileMoved(`${path} ${what} while it was open`)
    }
    return undefined
  }
}

function getSize(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

/** For a path that cannot be read at the moment: SQLite already has the file open and is not affected. */
const UNKNOWN = 'unknown'

/** Returns undefined if there is no file. */
function getIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev}:${found.ino}`
  } catch {
    return UNKNOWN
  }
}
