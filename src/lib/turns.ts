// Runs a few tasks at a time, and yields to the event loop after some milliseconds.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { waitForTurn } from './next-turn.ts'

const MAX_TURN_MS = 10
const MAX_AT_ONCE = 4

export interface Turns {
  /** Callers take turns; tasks of one caller begin in order. */
  run<T>(caller: string, task: () => Promise<T>): Promise<T>
}

export function createTurns(clock = () => performance.now()): Turns {
  const queues = new Map<string, (() => Promise<void>)[]>()
  let working = 0
  let until: number | undefined

  function isTurnOver(): boolean {
    if (until === undefined) {
      until = clock() + MAX_TURN_MS
      setImmediate(() => {
        until = undefined
      })
    }
    return clock() >= until
  }

  function takeNext(): (() => Promise<void>) | undefined {
    const [first] = queues
    if (first === undefined) return undefined
    const [caller, tasks] = first
    const task = tasks.shift()
    queues.delete(caller)
    if (tasks.length > 0) queues.set(caller, tasks)
    return task
  }

  async function work(): Promise<void> {
    working += 1
    for (;;) {
      while (isTurnOver()) await waitForTurn()
      const task = takeNext()
      if (task === undefined) break
      await task()
    }
    working -= 1
  }

  return {
    run: (caller, task) =>
      new Promise((resolve, reject) => {
        const tasks = queues.get(caller) ?? []
        queues.set(caller, tasks)
        tasks.push(() => task().then(resolve, reject))
        if (working < MAX_AT_ONCE) void work()
      }),
  }
}
