// Prevents timing attacks: delays responses to the end of a fixed step.

import { setTimeout } from 'node:timers'

/** Longer than such work normally takes. */
const STEP_MS = 40

/** Settles only after a whole number of steps since the start. */
export async function runInSteps<T>(work: () => Promise<T>): Promise<T> {
  // Started before the work, so that its end does not depend on it.
  let end = step()
  const outcome = Promise.allSettled([work()])
  let settled = await Promise.race([outcome, end])
  while (settled === undefined) {
    end = step()
    settled = await Promise.race([outcome, end])
  }
  await end
  const [only] = settled
  if (only?.status === 'fulfilled') return only.value
  throw only?.reason
}

function step(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, STEP_MS, undefined))
}
