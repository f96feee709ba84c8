// libsql, loaded when a file is opened: who works in memory does without it.

import type { AsyncLibsqlDatabase, LibsqlApi, LibsqlDatabase } from './libsql-types.ts'

type Opener<T> = new (path: string) => T

export async function loadLibsql(): Promise<LibsqlApi> {
  const [{ default: direct }, { default: apart }] = await Promise.all([
    import('libsql'),
    import('libsql/promise'),
  ])
  const Direct = direct as unknown as Opener<LibsqlDatabase>
  const Apart = apart as unknown as Opener<AsyncLibsqlDatabase>
  return { open: (path) => new Direct(path), openAsync: (path) => new Apart(path) }
}
