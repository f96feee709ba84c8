// Functions of users that take long are named in the log, once in a while.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchTime } from '../../../src/user-code/watch-time.ts'

function watched(run: (...args: readonly unknown[]) => unknown, limits = {}) {
  const told: string[] = []
  const log = { warn: (text: string) => void told.push(text) }
  return { told, run: watchTime(run, 'policy "x" (./x.ts)', log, limits) }
}

test('what it answers or throws is what the function answers or throws', async () => {
  const { run, told } = watched((what, ...rest) => {
    if (what === 'throws') throw new Error('no')
    return what === 'rejects' ? Promise.reject(new Error('never')) : rest
  })
  expect(run('answers', 1, 2)).toEqual([1, 2])
  expect(() => run('throws')).toThrow('no')
  await expect(run('rejects')).rejects.toThrow('never')
  expect(told).toEqual([])
})

test('one that still runs is told by its name, once', async () => {
  const { run, told } = watched(() => wait(300), { longWait: 40 })
  await Promise.all([run(), run(), run()])
  expect(told).toEqual([expect.stringMatching(/^policy "x" \(\.\/x\.ts\) still runs after 0\.[01] seconds$/)])
})

test('one that computes without a pause is told', () => {
  const { run, told } = watched(
    () => {
      const until = performance.now() + 60
      while (performance.now() < until);
    },
    { longBlock: 50 },
  )
  run()
  run()
  expect(told).toEqual([
    expect.stringMatching(/ ran for \d+ ms without a pause: no request was answered meanwhile$/),
  ])
})

test('many that end in time are not told, and nothing is kept of them', async () => {
  const { run, told } = watched(() => wait(1), { longWait: 400 })
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 50 }, () => run()))
  await wait(500)
  expect(told).toEqual([])
})
