// Splits long work into slices of time, between which the event loop serves other requests.

import { performance } from 'node:perf_hooks'
import { waitForTurn } from './next-turn.ts'

const SLICE_MS = 5

/** `visit` gets the start of a piece and returns the start of the next. */
export async function runInPieces(length: number, visit: (start: number) => number): Promise<void> {
  let until = performance.now() + SLICE_MS
  for (let start = 0; start < length; ) {
    start = visit(start)
    if (performance.now() < until) continue
    await waitForTurn()
    until = performance.now() + SLICE_MS
  }
}
