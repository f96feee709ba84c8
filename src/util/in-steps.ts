// How long a piece of work takes, kept from whoever waits for its answer: it comes at the end of a step.

import { setTimeout } from 'node:timers'

/** Milliseconds: longer than such work takes on a database that is not overloaded. */
const STEP = 40

/** Settles as `work` does, when a whole number of steps has passed since it began. */
export async function inSteps<T>(work: () => Promise<T>): Promise<T> {
  // Begun before the work, so that the moment at which it fires does not depend on it.
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
  return new Promise((resolve) => setTimeout(resolve, STEP, undefined))
}
