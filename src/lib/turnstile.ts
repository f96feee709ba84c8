// Begins each task in its own turn of the event loop, so that many tasks do not block other requests.

import { setImmediate } from 'node:timers'

/** Resolves in the order of its calls, once per turn of the event loop. */
export function createTurnstile(): () => Promise<void> {
  const waiting: (() => void)[] = []

  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}
