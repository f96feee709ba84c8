import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchOutages } from '../../../src/storage/database-outage.ts'

vi.mock('node:timers', () => import('../../support/global-timers.ts'))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the log tells the beginning of an outage, each minute that it lasts, and its end', async () => {
  const lines: string[] = []
  let there = true
  const note = (_fault: unknown, message?: unknown): void =>
    void lines.push(`${Math.round(performance.now() - started)} ${String(message ?? _fault)}`)
  const started = performance.now()
  const outages = watchOutages({
    ping: async () => {
      if (!there) throw new Error('connect ECONNREFUSED')
    },
    log: { error: note, warn: note } as never,
    now: () => performance.now(),
  })
  expect(await outages.check()).toBeUndefined()
  there = false
  outages.suspect()
  await vi.advanceTimersByTimeAsync(140_000)
  expect(outages.check()).toBe('the database cannot be reached')
  there = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(await outages.check()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(lines).toEqual([
    '0 the database cannot be reached',
    '60000 the database cannot be reached, for 60.0 s now',
    '120000 the database cannot be reached, for 120.0 s now',
    '140500 the database answers again after 140.5 s',
  ])
  outages.close()
})

test('a lost connection is told only where the server is there: else the outage is', async () => {
  const lines: string[] = []
  let there = true
  const note = (_fault: unknown, message?: unknown): void => void lines.push(String(message ?? _fault))
  const outages = watchOutages({
    ping: async () => {
      if (!there) throw new Error('connect ECONNREFUSED')
    },
    log: { error: note, warn: note } as never,
  })
  outages.suspect('terminated')
  await vi.advanceTimersByTimeAsync(10)
  expect(lines).toEqual(['a connection to the database is lost: terminated'])
  there = false
  outages.suspect('terminated')
  outages.suspect('terminated')
  await vi.advanceTimersByTimeAsync(10)
  expect(lines.slice(1)).toEqual(['the database cannot be reached'])
  outages.close()
})
