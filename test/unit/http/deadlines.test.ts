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
  const both = new Promise<void>((resolve) => {
    const last = item('last', 20)
    deadlines.add({ ...last, expire: () => resolve(void last.expire()) })
  })
  for (const added of [item('due', 0), item('later', 600_000), removed]) deadlines.add(added)
  deadlines.remove(removed)
  await both
  deadlines.stop()
  expect(expired).toEqual(['due', 'last'])
})
