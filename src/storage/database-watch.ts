// Logs the events of a database while it serves.

import type { Log } from '../observe/log/create-log.ts'
import { type DatabaseWatch, FileMovedError } from './driver.ts'

/** Milliseconds between two log lines about the same failure. */
const LOG_INTERVAL_MS = 10_000

/** `suspect`: called when the server may be down. */
export function createDatabaseWatch(
  log: Log,
  state: { failed?: string },
  suspect: (lost?: string) => void,
): DatabaseWatch {
  let told = 0
  let lostAt = 0
  return {
    lost(reason) {
      // All of a pool's connections break together.
      const told = Date.now() - lostAt < LOG_INTERVAL_MS
      if (!told) lostAt = Date.now()
      suspect(told ? undefined : reason)
    },
    unanswered: () => suspect(),
    broke: (failure) => log.error({ error: failure }, 'the in-memory database failed; it is being restored'),
    replaced: (restored) =>
      log.warn(
        restored
          ? 'the in-memory database is back at its last snapshot'
          : 'the in-memory database is back, empty',
      ),
    failed: (reason) => log.error({ error: reason }, 'the in-memory database could not be restored'),
    stopped(reason) {
      const moved = reason instanceof FileMovedError
      state.failed = moved
        ? 'the database file was removed or replaced while it was open'
        : 'the database file takes no more writes'
      const what = moved ? reason.message : 'the disk failed'
      const help = moved ? '; move it back, or put a backup in its place, and start again' : ''
      log.fatal({ error: reason }, `${what}: nothing more is written until the next start${help}`)
    },
    refused(reason) {
      if (Date.now() - told < LOG_INTERVAL_MS) return
      told = Date.now()
      log.error({ error: reason.cause }, `writes are refused: ${reason.message}`)
    },
    behind: (reason) =>
      log.warn({ error: reason }, 'the write-ahead log of the database could not be checkpointed'),
  }
}
