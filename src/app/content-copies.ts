// Copies of everything that a memory database's service keeps: content, uploaded files, mails and the counters of rate
// limits. A program holds the copy of the database; what belongs to it is found by it.

import type { AttemptsCopy, MemoryAttempts } from '../auth/attempt-store.ts'
import type { Database, Snapshot } from '../databases/database.ts'
import type { KeptMail, Outbox } from '../plugins/mailer.ts'
import type { MemoryFiles, MemoryFilesCopy } from '../plugins/memory-files.ts'
import type { Live } from './live.ts'

export interface CopiedParts {
  readonly database: Database
  readonly memoryFiles: MemoryFiles
  readonly outbox: Outbox
  /** Undefined where the database holds them. */
  readonly attempts: MemoryAttempts | undefined
}

interface Beside {
  readonly files: MemoryFilesCopy
  readonly mails: readonly KeptMail[]
  readonly attempts: AttemptsCopy | undefined
}

/** Process-wide, because an instance may be given the copy of another. */
const beside = new WeakMap<Snapshot, Beside>()

/** Throws TypeError for a database that is not in memory. */
export function copyContent({ database, memoryFiles, outbox, attempts }: CopiedParts): Snapshot {
  if (database.copies === undefined) throw memoryOnly('snapshot')
  const snapshot = database.copies.snapshot()
  beside.set(snapshot, { files: memoryFiles.copy(), mails: [...outbox.mails], attempts: attempts?.copy() })
  return snapshot
}

/** Throws TypeError for a database that is not in memory. */
export function restoreContent(parts: CopiedParts & { readonly live: Live }, snapshot: Snapshot): void {
  const { copies } = parts.database
  if (copies === undefined) throw memoryOnly('restore')
  copies.restore(snapshot)
  restoreBeside(parts, snapshot)
  parts.live.current.restored()
}

/** What is not in the database. */
export function restoreBeside(
  { memoryFiles, outbox, attempts }: Omit<CopiedParts, 'database'>,
  snapshot: Snapshot,
): void {
  const copied = beside.get(snapshot)
  if (copied === undefined) return
  memoryFiles.restore(copied.files)
  outbox.restore(copied.mails)
  if (copied.attempts !== undefined) attempts?.restore(copied.attempts)
}

function memoryOnly(what: string): Error {
  return new TypeError(`${what}() works on the memory database only`)
}
