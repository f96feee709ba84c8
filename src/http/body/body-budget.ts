// Counts the bytes of request bodies that a server holds in memory, over all requests together, against one limit: many
// bodies at once, each within its own limit, must not take all memory.

import { ApiError } from '../../lib/errors/api-error.ts'

export class BodyBudget {
  /** Bytes in memory now. */
  held = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Counts the bytes as held and returns true; returns false when the limit leaves no room for them. */
  tryTake(bytes: number): boolean {
    if (this.held + bytes > this.most) return false
    this.held += bytes
    return true
  }

  /** Counts the bytes as held. Throws ServiceUnavailableError when the limit leaves no room for them. */
  take(bytes: number): void {
    if (this.tryTake(bytes)) return
    throw new ApiError(
      'ServiceUnavailableError',
      'too many request bodies are being received',
      {},
      { 'retry-after': '1' },
    )
  }

  release(bytes: number): void {
    this.held -= bytes
  }
}

/** The bytes that one request holds of the shared budget. */
export class BodyShare {
  private held = 0
  private closed = false
  private readonly budget: BodyBudget

  constructor(budget: BodyBudget) {
    this.budget = budget
  }

  /** Throws ServiceUnavailableError when there is no room. Does nothing after `close`. */
  take(bytes: number): void {
    if (this.closed) return
    this.budget.take(bytes)
    this.held += bytes
  }

  tryTake(bytes: number): boolean {
    if (this.closed || !this.budget.tryTake(bytes)) return false
    this.held += bytes
    return true
  }

  release(bytes: number): void {
    if (this.closed) return
    this.budget.release(bytes)
    this.held -= bytes
  }

  /** Releases all bytes that the request still holds; called when the request is over. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.budget.release(this.held)
    this.held = 0
  }
}
