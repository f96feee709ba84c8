// A large answer is written in slices, and is the same text.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { encodeInSlices, encodeOnce } from '../../../src/content/rows/encode-once.ts'
import type { EntryRow } from '../../../src/content/rows/entry.ts'

function entry(id: number, shown = 1): EntryRow {
  return { row: [id], at: 0, members: [], shown, written: undefined }
}

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

const entries = Array.from({ length: 60 }, (_, id) => entry(id, id % 7 === 0 ? 3 : 1))
const expected = entries.map(({ row }) => `<${row[0]}>`).join()

test('in several turns of the event loop, each entry about once', async () => {
  let asked = 0
  const encode = encodeOnce(({ row }) => {
    asked += 1
    busy(1)
    return `<${row[0]}>`
  })
  let turns = 0
  let over = false
  const writing = encodeInSlices(() => entries.map(encode).join()).finally(() => (over = true))
  while (!over) {
    await setImmediate()
    turns += 1
  }
  expect(await writing).toBe(expected)
  expect(turns).toBeGreaterThan(3)
  // Those of the first slice are written again.
  expect(asked).toBeLessThan(90)
})

test('two at the same time do not disturb each other, nor those that are not in slices', async () => {
  const one = encodeOnce(({ row }) => {
    busy(1)
    return `<${row[0]}>`
  })
  const own = entries.map(({ row }) => entry(Number(row[0])))
  const both = [entries, own].map((list) => encodeInSlices(() => list.map(one).join()))
  await setImmediate()
  const third = entries.map(({ row }) => entry(Number(row[0])))
  expect(third.map(one).join()).toBe(expected)
  expect(third.every(({ written }) => written === undefined)).toBe(true)
  expect(await Promise.all(both)).toEqual([expected, expected])
})

test('what an encoder throws is thrown, and nothing is left behind', async () => {
  const failing = encodeOnce(() => {
    throw new Error('cannot be encoded')
  })
  await expect(encodeInSlices(() => failing(entry(1)))).rejects.toThrow('cannot be encoded')
  const plain = entry(2)
  expect(encodeOnce(() => 'x')(plain)).toBe('x')
  expect(plain.written).toBeUndefined()
})
