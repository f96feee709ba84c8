// What happens to a database while it serves, as the log tells it.

import type { DatabaseWatch } from '../databases/open-database.ts'
import type { Log } from './create-log.ts'

export function databaseWatch(log: Log): DatabaseWatch {
  return {
    lost: (reason) => log.warn(`a connection to the database is lost: ${reason}`),
    broke: (failure) =>
      log.error({ error: failure }, 'the in-memory database broke; a fresh one is being made'),
    replaced: (restored) =>
      log.warn(
        restored
          ? 'the in-memory database is back at its last snapshot'
          : 'the in-memory database is back, empty',
      ),
    failed: (reason) => log.error({ error: reason }, 'the in-memory database could not be made anew'),
  }
}
