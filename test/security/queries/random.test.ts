// Whatever is asked along the relations of the model is answered or refused in words. `npx tsx
// test/security/queries/long.ts` asks 20,000 over a socket, and measures time and memory.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCms } from '../../../src/index.ts'
import { hubConfig } from './hub.ts'
import { randomRequest } from './random-question.ts'

const LARGEST = 64 * 1024 * 1024

test('300 questions and writes at random', async () => {
  const cms = await createCms(hubConfig(10_000))
  const statuses = new Map<number, number>()
  try {
    await fc.assert(
      fc.asyncProperty(randomRequest, async ({ path, init }) => {
        const answer = await cms.fetch(path, init)
        const text = await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        expect(answer.status, text.slice(0, 500)).toBeLessThan(500)
        expect(text.length).toBeLessThan(LARGEST)
        if (answer.status >= 400) expect(text).toMatch(/"(error|errors)":/)
      }),
      { numRuns: 300 },
    )
  } finally {
    await cms.close()
  }
  // Neither is everything refused nor everything allowed.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(30)
  expect(statuses.get(400) ?? 0).toBeGreaterThan(10)
})
