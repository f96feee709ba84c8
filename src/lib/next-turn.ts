// Yields to the event loop between two long tasks, so that other requests are served.

import { setImmediate } from 'node:timers'

export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
