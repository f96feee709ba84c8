// Copies content, uploaded files, mails and rate-limit counters of a memory database.

import type { AttemptsCopy, MemoryAttempts } from '../access/attempt-store.ts'
import type { Outbox, OutboxMail } from '../plugins/mailer.ts'
import type { MemoryFiles, MemoryFilesCopy } from '../plugins/memory-files.ts'
import type { Database, Snapshot } from '../storage/database.ts'
import type { App } from './app.ts'

interface CopiedState {
  readonly database: Database
  readonly memoryFiles: MemoryFiles
  readonly outbox: Outbox
  readonly memoryAttempts: MemoryAttempts | undefined
}

interface Beside {
  readonly files: MemoryFilesCopy
  readonly mails: readonly OutboxMail[]
  readonly attempts: AttemptsCopy | undefined
}

/** Process-wide, because an instance may restore the copy of another. */
const beside = new WeakMap<Snapshot, Beside>()

export function copyContent({ database, memoryFiles, outbox, memoryAttempts }: CopiedState): Snapshot {
  if (database.copies === undefined) throw memoryOnly('snapshot')
  const snapshot = database.copies.snapshot()
  beside.set(snapshot, {
    files: memoryFiles.copy(),
    mails: [...outbox.mails],
    attempts: memoryAttempts?.copy(),
  })
  return snapshot
}

/** Throws TypeError for a database that is not in memory. */
export function restoreContent(state: CopiedState, app: App, snapshot: Snapshot): void {
  const { copies } = state.database
  if (copies === undefined) throw memoryOnly('restore')
  copies.restore(snapshot)
  restoreBeside(state, snapshot)
  app.restored()
}

export function restoreBeside(
  { memoryFiles, outbox, memoryAttempts }: Omit<CopiedState, 'database'>,
  snapshot: Snapshot,
): void {
  const copied = beside.get(snapshot)
  if (copied === undefined) return
  memoryFiles.restore(copied.files)
  outbox.restore(copied.mails)
  if (copied.attempts !== undefined) memoryAttempts?.restore(copied.attempts)
}

function memoryOnly(what: string): Error {
  return new TypeError(`${what}() works on the memory database only`)
}
