import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchQueue, watchWaiting } from '../../../src/http/waiting.ts'

/** Turns of an event loop in which each of `requests` takes `each` milliseconds; how many are refused in each turn. */
async function refusals(turns: number, requests: number, each: number, pause = 0): Promise<number[]> {
  let now = 1000
  const waiting = watchWaiting(100, () => now)
  const refused: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    let count = 0
    for (let request = 0; request < requests; request++) {
      if (waiting.tooLong()) count += 1
      else now += each
    }
    await setImmediate()
    refused.push(count)
    now += pause
  }
  return refused
}

test('a burst is served, however late', async () => {
  expect(await refusals(1, 400, 1)).toEqual([0])
  // Even again and again, when the process has nothing to do in between.
  expect(await refusals(10, 400, 1, 200)).toEqual(Array(10).fill(0))
})

test('after half a second of long turns, those that wait for longer than the limit are refused', async () => {
  const refused = await refusals(20, 300, 1)
  expect(refused.slice(0, 2)).toEqual([0, 0])
  // 100 ms of work in each turn, and the one that was begun before.
  expect(refused.slice(2)).toEqual(Array(18).fill(199))
})

test('turns that are short enough, and few requests that are slow, are never refused', async () => {
  expect(await refusals(50, 99, 1)).toEqual(Array(50).fill(0))
  expect(await refusals(50, 16, 100)).toEqual(Array(50).fill(0))
})

test('it is over when no turn was long for half a second', async () => {
  let now = 0
  const waiting = watchWaiting(100, () => now)
  const turn = async (requests: number): Promise<number> => {
    let count = 0
    for (let request = 0; request < requests; request++) {
      if (waiting.tooLong()) count += 1
      else now += 1
    }
    await setImmediate()
    return count
  }
  for (let count = 0; count < 4; count++) await turn(300)
  expect(await turn(300)).toBe(199)
  expect(await turn(20)).toBe(0)
  expect(await turn(300)).toBe(199)
  for (let count = 0; count < 30; count++) expect(await turn(20)).toBe(0)
  expect(await turn(300)).toBe(0)
})

/** For each of `seconds`, whether a request that comes at its end is refused; `pace`: requests that end in a millisecond. */
function refusedInQueue(limit: number, seconds: number, waiting: number, pace: number): boolean[] {
  let now = 1000
  const queue = watchQueue(
    limit,
    () => ({ waiting, limit: 10 }),
    () => now,
  )
  return Array.from({ length: seconds }, () => {
    let refused = false
    for (let step = 0; step < 100; step++) {
      now += 10
      for (let ended = 0; ended < pace * 10; ended++) queue.ended()
      refused = queue.tooLong()
    }
    return refused
  })
}

test('a queue is too long when those in it wait for longer than the limit, at the pace of those that end', () => {
  // 200 wait for 100 ms at 2 a millisecond.
  expect(refusedInQueue(90, 3, 200, 2)).toEqual([true, true, true])
  expect(refusedInQueue(110, 3, 200, 2)).toEqual([false, false, false])
  // None ends.
  expect(refusedInQueue(1000, 2, 200, 0)).toEqual([true, true])
})

test('a queue of five for each of what they wait for is never too long, and nor is one without a limit', () => {
  expect(refusedInQueue(90, 3, 50, 0)).toEqual([false, false, false])
  expect(refusedInQueue(90, 3, 51, 0)).toEqual([true, true, true])
  expect(refusedInQueue(0, 3, 1000, 0)).toEqual([false, false, false])
})

test('a queue that is too long for less than half a second is a burst', () => {
  let now = 0
  let waiting = 200
  const queue = watchQueue(
    10,
    () => ({ waiting, limit: 10 }),
    () => now,
  )
  const after = (milliseconds: number): boolean => {
    now += milliseconds
    return queue.tooLong()
  }
  expect([after(1), after(400), after(100), after(1)]).toEqual([false, false, false, true])
  // Who comes while there is room is taken, and it takes half a second of that until it is over.
  waiting = 0
  expect(after(1)).toBe(false)
  waiting = 200
  expect(after(1)).toBe(true)
  waiting = 0
  expect([after(300), after(300)]).toEqual([false, false])
  waiting = 200
  expect([after(1), after(400), after(101)]).toEqual([false, false, true])
  expect(after(5000)).toBe(false)
})
