// A machine on which sharp is not installed: files are stored, and the log says once what is missing.

import { expect, test, vi } from 'vitest'
import { openLibrary, png, post, text } from './open-library.ts'

vi.mock('sharp', () => {
  throw new Error("Cannot find package 'sharp'")
})

test('images are stored as they are, with their size', async () => {
  const log: string[] = []
  const library = await openLibrary({}, { options: { log: (line) => log.push(line) } })
  for (const [part, width, height] of [
    [png(), 1, 1],
    [text(), null, null],
    [png('b.png'), 1, 1],
  ] as const) {
    const { status, body } = await post(library.cms, '/api/upload', part)
    expect([status, body]).toMatchObject([200, [{ width, height, formats: null }]])
  }
  expect((await library.stored()).length).toBe(3)
  expect(log.filter((line) => line.includes('sharp is not installed')).length).toBe(1)
  await library.close()
})
