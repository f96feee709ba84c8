import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchCrowd, watchWaiting } from '../../../src/http/waiting.ts'

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

test('a crowd is one that does not go for half a second', () => {
  let now = 0
  let crowded = true
  const crowd = watchCrowd(
    () => crowded,
    () => now,
  )
  const after = (milliseconds: number): boolean => {
    now += milliseconds
    return crowd.tooLong()
  }
  expect([after(0), after(400), after(100), after(1)]).toEqual([false, false, false, true])
  // Who comes while there is room is taken, and it takes half a second of that until it is over.
  crowded = false
  expect(after(1)).toBe(false)
  crowded = true
  expect(after(1)).toBe(true)
  crowded = false
  expect([after(300), after(300)]).toEqual([false, false])
  crowded = true
  expect([after(1), after(400), after(101)]).toEqual([false, false, true])
  expect(after(5000)).toBe(false)
})
