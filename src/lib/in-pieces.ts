// Works through something large in slices of time, between which the event loop serves others.

import { performance } from 'node:perf_hooks'
import { nextTurn } from './next-turn.ts'

/** Milliseconds of work after which others get the event loop. */
const SLICE = 5

/** Calls `visit` with the start of each piece; it returns where the next one starts. Ends at `length`. */
export async function inPieces(length: number, visit: (start: number) => number): Promise<void> {
  let until = performance.now() + SLICE
  for (let start = 0; start < length; ) {
    start = visit(start)
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + SLICE
  }
}
