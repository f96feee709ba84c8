// SQLite's write-ahead log of one database, forced to disk from outside the main thread: SQLite itself would stop
// the whole process for each commit. The file of the database itself must never be opened beside SQLite: closing it
// would end SQLite's locks.

import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export interface WriteAheadLog {
  sync(): Promise<void>
  close(): void
}

const forceToDisk = promisify(fdatasync)

/** The log is there once SQLite has read or written, and stays the same file as long as a connection is open. */
export function openWriteAheadLog(file: string): WriteAheadLog {
  const descriptor = openSync(`${file}-wal`, 'r+')
  forceDirectory(dirname(file))
  return {
    sync: () => forceToDisk(descriptor),
    close: () => closeSync(descriptor),
  }
}

/** So that a file that was just made is found after a loss of power. */
function forceDirectory(path: string): void {
  // Windows knows no such thing.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
