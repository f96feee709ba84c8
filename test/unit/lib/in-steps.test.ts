import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runInSteps } from '../../../src/lib/in-steps.ts'

vi.mock('node:timers', () => import('../../support/global-timers.ts'))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function after(milliseconds: number): () => Promise<number> {
  return () => new Promise<number>((resolve) => setTimeout(() => resolve(milliseconds), milliseconds))
}

const rows: readonly (readonly [name: string, work: () => Promise<number>, at: number])[] = [
  ['nothing', async () => 0, 40],
  ['little', after(5), 40],
  ['a failure', () => after(3)().then(() => Promise.reject(new Error('failed'))), 40],
  ['a throw', async () => Promise.reject(new Error('failed')), 40],
  ['more than a step', after(41), 80],
  ['more than two', after(95), 120],
]

test.each(rows)('%s ends with its step', async (_name, work, at) => {
  let settled: number | undefined
  const started = Date.now()
  const note = (): void => {
    settled = Date.now() - started
  }
  const done = runInSteps<number>(work).then(
    () => note(),
    () => note(),
  )
  await vi.advanceTimersByTimeAsync(at - 1)
  expect(settled).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(settled).toBe(at)
})

test('what the work answers and throws is kept', async () => {
  const both = Promise.allSettled([
    runInSteps(async () => 'done'),
    runInSteps(() => Promise.reject(new Error('failed'))),
  ])
  await vi.advanceTimersByTimeAsync(40)
  expect(await both).toMatchObject([
    { status: 'fulfilled', value: 'done' },
    { status: 'rejected', reason: { message: 'failed' } },
  ])
})
