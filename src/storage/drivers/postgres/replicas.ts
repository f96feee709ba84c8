// Chooses a replica, in turn, for reads that may be slightly old.

import type { Connections } from './connections.ts'

/** Milliseconds for which a failed replica is not used. */
const FAILURE_PAUSE_MS = 2000

export class Replicas {
  readonly #all: readonly Connections[]
  readonly #restsUntil = new Map<Connections, number>()
  #turn = 0

  constructor(all: readonly Connections[]) {
    this.#all = all
  }

  next(now: number): Connections | undefined {
    for (let step = 0; step < this.#all.length; step++) {
      this.#turn = (this.#turn + 1) % this.#all.length
      const one = this.#all[this.#turn]
      if (one !== undefined && (this.#restsUntil.get(one) ?? 0) <= now) return one
    }
    return undefined
  }

  failed(one: Connections, now: number): void {
    this.#restsUntil.set(one, now + FAILURE_PAUSE_MS)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.close()))
  }
}
