// Runs a few expensive tasks at a time; others wait, and are refused when too many wait.

import pLimit from 'p-limit'
import { ApiError } from '../lib/errors/api-error.ts'

const MAX_WAITING = 64

interface WorkQueue {
  readonly waiting: number
  /** Rejects with ServiceUnavailableError (503) when too many are waiting. */
  add<T>(work: () => Promise<T>): Promise<T>
}

/** `what`: the word for the tasks in the refusal's message. */
export function createWorkQueue(atOnce: number, what: string): WorkQueue {
  const limit = pLimit(atOnce)
  return {
    get waiting() {
      return limit.pendingCount
    },
    async add(work) {
      if (limit.pendingCount < MAX_WAITING) return limit(work)
      const message = `Too many ${what} at once, try again`
      throw new ApiError('ServiceUnavailableError', message, {}, { 'retry-after': '1' })
    },
  }
}
