// Limits the bytes of all request bodies in memory together, so that many bodies within their own limits
// cannot exhaust it.

import { ApiError } from '../../lib/errors/api-error.ts'

export class BodyBudget {
  held = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Returns false when the limit leaves no room. */
  tryTake(bytes: number): boolean {
    if (this.held + bytes > this.most) return false
    this.held += bytes
    return true
  }

  /** Throws ServiceUnavailableError when the limit leaves no room. */
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

export class BodyShare {
  private held = 0
  private closed = false
  private readonly budget: BodyBudget

  constructor(budget: BodyBudget) {
    this.budget = budget
  }

  /** Throws ServiceUnavailableError when the limit leaves no room. Does nothing after `close`. */
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

  close(): void {
    if (this.closed) return
    this.closed = true
    this.budget.release(this.held)
    this.held = 0
  }
}
