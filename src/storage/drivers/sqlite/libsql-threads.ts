// How many threads libsql runs asynchronous calls on. By default it has one for each core, and on a machine with one core
// a long read would keep checkpoints waiting, and with them writes.

import type { AsyncLibsqlDatabase } from './libsql-types.ts'

/** Libsql asks for it once, at its first asynchronous call. */
const VARIABLE = 'TOKIO_WORKER_THREADS'

let started: Promise<void> | undefined

/** Has an effect once in a process. */
export function startThreads(open: (path: string) => AsyncLibsqlDatabase, threads: number): Promise<void> {
  started ??= start(open, threads)
  return started
}

async function start(open: (path: string) => AsyncLibsqlDatabase, threads: number): Promise<void> {
  const own = process.env[VARIABLE]
  process.env[VARIABLE] = String(threads)
  try {
    const database = open(':memory:')
    await database.exec('select 1')
    database.close()
  } finally {
    if (own === undefined) delete process.env[VARIABLE]
    else process.env[VARIABLE] = own
  }
}
