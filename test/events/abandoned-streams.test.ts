// A client that leaves before its stream begins does not count as a receiver for ever.

import { afterEach, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

vi.mock('node:timers', async (original) => ({
  ...(await original<typeof import('node:timers')>()),
  setInterval: (...given: Parameters<typeof setInterval>) => globalThis.setInterval(...given),
  clearInterval: (timer: NodeJS.Timeout | undefined) => globalThis.clearInterval(timer),
}))

const HEARTBEAT = 15_000

let cms: Cms | undefined
afterEach(async () => {
  vi.useRealTimers()
  await cms?.close()
})

test('what nobody has begun to read until the second heartbeat is ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  cms = await createCms({
    events: true,
    contentTypes: { article: { attributes: { title: 'string' } } },
    server: { limits: { subscriptions: { caller: 2 } } },
    auth: { roles: { public: { permissions: ['article.*'] } } },
  })
  const { fetch } = cms
  const leaving = new AbortController()
  const left = fetch('/api/_events', { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toThrow()
  const staying = await fetch('/api/_events')
  const reader = staying.body?.getReader()
  await reader?.read()
  const status = async (): Promise<number> => {
    const answer = await fetch('/api/_events')
    await answer.body?.cancel()
    return answer.status
  }
  expect(await status()).toBe(429)
  vi.advanceTimersByTime(2 * HEARTBEAT)
  expect(await status()).toBe(200)
  await reader?.cancel()
})
