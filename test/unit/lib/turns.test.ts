import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { createTurns } from '../../../src/lib/turns.ts'

/** Counts turns of the event loop until it is stopped. */
function countTurns(): () => number {
  let turns = 0
  let over = false
  const look = (): void => {
    turns += 1
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    over = true
    return turns
  }
}

test('after some milliseconds of tasks the rest of the process has its turn', async () => {
  let now = 0
  const turns = createTurns(() => now)
  const stop = countTurns()
  const work = async (): Promise<void> => {
    now += 5
  }
  await Promise.all(Array.from({ length: 100 }, () => turns.run('somebody', work)))
  // 500 ms of work, 10 ms a turn and one task more.
  expect(stop()).toBeGreaterThanOrEqual(30)
})

test('tasks that take no time need no turns', async () => {
  const turns = createTurns(() => 0)
  const stop = countTurns()
  await Promise.all(Array.from({ length: 100 }, () => turns.run('somebody', async () => {})))
  expect(stop()).toBe(0)
})

test('work that comes in pieces within one turn is counted together', async () => {
  let now = 0
  const turns = createTurns(() => now)
  const stop = countTurns()
  for (let piece = 0; piece < 100; piece++)
    await turns.run('somebody', async () => {
      now += 5
    })
  expect(stop()).toBeGreaterThanOrEqual(30)
})

test('callers take turns, and each has its tasks in order', async () => {
  const turns = createTurns(() => 0)
  const begun: string[] = []
  const task = (name: string) => async (): Promise<void> => {
    begun.push(name)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const many = Array.from({ length: 20 }, (_, index) => turns.run('many', task(`many ${index}`)))
  const few = turns.run('few', task('few'))
  await few
  expect(begun.indexOf('few')).toBeLessThan(6)
  await Promise.all(many)
  expect(begun.filter((name) => name !== 'few')).toEqual(
    Array.from({ length: 20 }, (_, index) => `many ${index}`),
  )
})

test('a few tasks run at the same time, and failures are those of their task', async () => {
  const turns = createTurns(() => 0)
  let running = 0
  let most = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      turns.run('somebody', async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (index === 3) throw new Error('failed')
        return index
      }),
    ),
  )
  expect(most).toBe(4)
  expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(3)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})
