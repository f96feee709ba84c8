// Lets tasks of one kind begin one after the other, each in a turn of the event loop of its own, so that others are served
// between two of them however many there are.

import { setImmediate } from 'node:timers'

/** Returns a function that resolves, in the order of its calls, once in each turn of the event loop. */
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
