// Between two pieces of work that each take long, requests are answered.

import { setImmediate } from 'node:timers'

/** Resolves when the event loop has gone round once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
