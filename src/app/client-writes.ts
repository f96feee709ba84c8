// Whether clients have written to a memory database since it was put to what `data` says. Writes are counted within their
// transactions, and the question is asked within the one that clears the content, so that no write is missed.

import type { Database } from '../storage/database.ts'

/** The reason for a reload to put the content to the file's `data`: a wish, or an edit of `data` that nobody has written over. */
export type ResetReason = 'asked' | 'edited'

export interface ContentReset {
  /** Whether the content may be cleared. Ask within the transaction that does it. */
  may(): boolean
  /** The content is what `data` says. */
  done(): void
  /** Puts back what was there before. Returns false, and leaves everything, if a client has written since. */
  undo(): Promise<boolean>
}

export interface ClientWrites {
  /** A client writes. */
  note(): void
  /** Undefined if the content is not to be reset, because clients have written. Memory databases only. */
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

/** Resolves, in the same turn, when no transaction is open: a copy cannot be taken or put back during one. */
async function betweenWrites(database: Database): Promise<void> {
  const nothing = (): ReturnType<Parameters<Database['transaction']>[0]> => empty()
  for (let wait = database.transaction(nothing); wait instanceof Promise; ) {
    await wait
    wait = database.transaction(nothing)
  }
}

function* empty(): Generator<never, void, never> {}
