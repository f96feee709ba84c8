// Lines of an archive of Strapi, however they are cut into pieces.

import { expect, test } from 'vitest'
import { readJsonLines } from '../../src/strapi/import/json-lines.ts'

function entry(text: string, size: number) {
  const bytes = Buffer.from(text)
  return {
    name: 'entities/a.jsonl',
    size: bytes.length,
    async text() {
      return text
    },
    async *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }
}

async function read(text: string, size: number): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const value of readJsonLines(entry(text, size))) values.push(value)
  return values
}

test.each([1, 2, 3, 7, 1000])('pieces of %i bytes', async (size) => {
  const values = [{ a: 'ä€😀' }, { b: [1] }, {}]
  const text = `${values.map((value) => JSON.stringify(value)).join('\n\n')}`
  expect(await read(text, size)).toEqual(values)
  expect(await read(`${text}\n`, size)).toEqual(values)
})

// Looked through again for each piece, it takes the better part of an hour.
test('a long line in many pieces', async () => {
  const [value] = (await read(`{"a":"${'x'.repeat(32_000_000)}"}`, 400)) as { a: string }[]
  expect(value?.a.length).toBe(32_000_000)
})

test('what is too long, too deep or no object is named with its line', async () => {
  const deep = `{}\n{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  await expect(read(deep, 1000)).rejects.toThrow(
    'entities/a.jsonl, line 2 is not a JSON object of at most 500 levels',
  )
  await expect(read('{}\n\n[]', 4)).rejects.toThrow('entities/a.jsonl, line 3 is not a JSON object')
  await expect(read('x'.repeat(65 * 1024 * 1024), 65536)).rejects.toThrow('has a line longer than')
})
