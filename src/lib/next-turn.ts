// Yields to the event loop between two long tasks, so that other requests are served.

import { setImmediate } from 'node:timers'

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
