// Runs a task without V8's optimising compiler, which works on other threads.

import { setFlagsFromString } from 'node:v8'

/** In bytes: V8 optimises no function whose bytecode is larger. Its own value, in Node 20, 22 and 24: V8 does not say what the flag is. */
const LARGEST = 61_440

/**
 * While the task runs, V8 optimises no further function. For what runs once, for some tens of milliseconds: to optimise its functions
 * takes other threads longer than they run, and where there are few processors, the main thread waits for those threads. Synchronous,
 * because the flag is one of the whole process.
 */
export function withoutOptimising<T>(task: () => T): T {
  setLargest(0)
  try {
    return task()
  } finally {
    setLargest(LARGEST)
  }
}

function setLargest(bytes: number): void {
  setFlagsFromString(`--max-optimized-bytecode-size=${bytes}`)
}
