// Checks the paths of an open database's files: SQLite writes into a removed or renamed file without an
// error, and those writes are lost.

import { statSync } from 'node:fs'
import { FileMovedError } from '../../driver.ts'

export class FilePlace {
  readonly #path: string
  readonly #files: readonly (readonly [path: string, identity: string | undefined])[]

  /** `file` must be open, with its log. */
  constructor(file: string) {
    this.#path = file
    this.#files = ['', '-wal', '-shm'].map((ending) => [file + ending, getIdentity(file + ending)])
  }

  get size(): number {
    return ['', '-wal'].reduce((size, ending) => size + getSize(this.#path + ending), 0)
  }

  /** Takes a few microseconds. */
  get fault(): FileMovedError | undefined {
    for (const [path, identity] of this.#files) {
      const now = getIdentity(path)
      if (now === identity || now === UNKNOWN) continue
      const what = now === undefined ? 'is gone' : 'was replaced by another file'
      return new FileMovedError(`${path} ${what} while it was open`)
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

/** A path cannot be read at the moment; SQLite already has the file open and is not affected. */
const UNKNOWN = 'unknown'

function getIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev}:${found.ino}`
  } catch {
    return UNKNOWN
  }
}
