import { expect, test } from 'vitest'
import { createDeadlines } from '../../../src/http/deadlines.ts'

test('what is due expires once, what is not due or removed does not', async () => {
  const deadlines = createDeadlines(1)
  const expired: string[] = []
  const item = (name: string, milliseconds: number) => ({
    deadline: performance.now() + milliseconds,
    expire: () => expired.push(name),
  })
  const removed = item('removed', 5)
  for (const added of [item('due', 0), item('later', 600_000), removed]) deadlines.add(added)
  deadlines.remove(removed)
  // Added after the other: on a busy machine both are due at once, and expire in this order.
  await new Promise<void>((resolve) => {
    const last = item('last', 20)
    deadlines.add({ ...last, expire: () => resolve(void last.expire()) })
  })
  deadlines.stop()
  expect(expired).toEqual(['due', 'last'])
})
