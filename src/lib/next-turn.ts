// Yields to the event loop between two long tasks, so that requests are answered.

import { setImmediate } from 'node:timers'

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
