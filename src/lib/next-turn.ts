import { setImmediate } from 'node:timers'

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
