// Tells whether clients have written to a memory database since its last reset. It counts within
// transactions, so that no write is missed.

import type { Database } from '../storage/database.ts'

export type ResetReason = 'asked' | 'edited'

export interface ContentReset {
  /** Call it within the clearing transaction. */
  may(): boolean
  done(): void
  /** Returns false and changes nothing if a client has written since. */
  undo(): Promise<boolean>
}

export interface ClientWrites {
  note(): void
  /** Memory databases only; undefined if clients have written. */
  startReset(reason: ResetReason): Promise<ContentReset | undefined>
}

export function createClientWrites(database: Database): ClientWrites {
  let noted = 0
  let undone = 0
  // `restore` brings back content of another time, in which clients may have written.
  const count = (): number => noted + (database.outsideChanges ?? 0) - undone
  let seeded = count()
  return {
    note() {
      noted += 1
    },
    async startReset(reason) {
      const may = (): boolean => reason === 'asked' || count() === seeded
      if (!may()) return undefined
      await betweenWrites(database)
      const before = database.copies?.snapshot()
      const then = count()
      const seededBefore = seeded
      let cleared = then
      return {
        may() {
          cleared = count()
          return may()
        },
        done() {
          seeded = cleared
        },
        async undo() {
          await betweenWrites(database)
          if (before === undefined || count() !== then) return false
          database.copies?.restore(before)
          undone += 1
          seeded = seededBefore
          return true
        },
      }
    },
  }
}

/**
 * Waits until no transaction is open, because a copy cannot be taken or restored during one; resolves in the
 * same turn.
 */
async function betweenWrites(database: Database): Promise<void> {
  const nothing = (): ReturnType<Parameters<Database['transaction']>[0]> => empty()
  for (let wait = database.transaction(nothing); wait instanceof Promise; ) {
    await wait
    wait = database.transaction(nothing)
  }
}

function* empty(): Generator<never, void, never> {}
