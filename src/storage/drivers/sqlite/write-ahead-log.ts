// Forces SQLite's write-ahead log to disk outside the main thread, which SQLite would block. The database
// file must never be opened here: closing it would release SQLite's locks.

import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export interface WriteAheadLog {
  sync(): Promise<void>
  close(): void
}

const forceToDisk = promisify(fdatasync)

/** The log exists once SQLite has read or written, and stays the same file while a connection is open. */
export function openWriteAheadLog(file: string): WriteAheadLog {
  const descriptor = openSync(`${file}-wal`, 'r+')
  forceDirectory(dirname(file))
  return {
    sync: () => forceToDisk(descriptor),
    close: () => closeSync(descriptor),
  }
}

/** Ensures that a new file is found after a loss of power. */
function forceDirectory(path: string): void {
  // Windows cannot sync a directory.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
