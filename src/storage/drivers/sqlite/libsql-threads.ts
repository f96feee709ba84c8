// Sets libsql's threads: the default, one per core, would let a long read on a single core block writes.

import type { AsyncLibsqlDatabase } from './libsql-types.ts'

/** libsql reads it once, at its first asynchronous call. */
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
