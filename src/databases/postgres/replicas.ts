// Servers that follow the primary and answer reads that may be a moment old, in turn. One that fails is left alone for
// a while; whoever asked it asks the primary.

import type { Connections } from './connections.ts'

/** Milliseconds that one is left alone. */
const REST = 2000

export class Replicas {
  readonly #all: readonly Connections[]
  readonly #restsUntil = new Map<Connections, number>()
  #turn = 0

  constructor(all: readonly Connections[]) {
    this.#all = all
  }

  /** Undefined while none of them is to be asked. */
  next(now: number): Connections | undefined {
    for (let step = 0; step < this.#all.length; step++) {
      this.#turn = (this.#turn + 1) % this.#all.length
      const one = this.#all[this.#turn]
      if (one !== undefined && (this.#restsUntil.get(one) ?? 0) <= now) return one
    }
    return undefined
  }

  failed(one: Connections, now: number): void {
    this.#restsUntil.set(one, now + REST)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.close()))
  }
}
