// The bytes of request bodies that a server has in memory, of all requests together, and the limit that they share:
// many bodies at once, each within its own limit, must not take all memory.

import { ApiError } from '../errors/api-error.ts'

export class BodyBudget {
  /** Bytes in memory now. */
  held = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Whether there was room; then they count as held. */
  tryTake(bytes: number): boolean {
    if (this.held + bytes > this.most) return false
    this.held += bytes
    return true
  }

  /** Throws ServiceUnavailableError. */
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

/** What one request has taken of it. */
export class BodyShare {
  private held = 0
  private closed = false
  private readonly budget: BodyBudget

  constructor(budget: BodyBudget) {
    this.budget = budget
  }

  /** Throws ServiceUnavailableError. Nothing counts any more when the request is over. */
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

  /** The request is over: all of it is free. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.budget.release(this.held)
    this.held = 0
  }
}
