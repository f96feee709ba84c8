// Remembers when a server last answered on any connection of a pool, and tells the watch when it does not.

import { performance } from 'node:perf_hooks'
import type { ConnectionWatch } from '../../driver.ts'
import type { FailureKind } from './server-engine.ts'

export class Answers {
  readonly #watch: ConnectionWatch
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(watch: ConnectionWatch) {
    this.#watch = watch
  }

  /** On the clock of `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  answered(): void {
    this.#answeredAt = performance.now()
  }

  /** A statement that the server refused was answered. */
  refused(failureKind: FailureKind): void {
    if (failureKind === 'lost' || failureKind === 'silent') this.failed()
    else this.answered()
  }

  failed(): void {
    this.#answeredAt = Number.NEGATIVE_INFINITY
    this.#watch.unanswered?.()
  }

  /** A connection broke. */
  lost(error: Error): void {
    this.#answeredAt = Number.NEGATIVE_INFINITY
    this.#watch.lost?.(error.message)
  }
}
