// What images are held to, and what becomes of them.

import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, openLibrary, type Part, post } from './open-library.ts'

let library: Library
let asSent: Library
beforeAll(async () => {
  library = await openLibrary()
  asSent = await openLibrary({
    sizeOptimization: false,
    breakpoints: { tiny: 20 },
    allowedTypes: ['image/*'],
  })
})
afterAll(async () => {
  await library.close()
  await asSent.close()
})

const file = (name: string, type: string, bytes: Uint8Array | string): Part => ({
  name: 'files',
  file: { name, type, bytes },
})

async function uploaded(to: Library, part: Part): Promise<Record<string, unknown>> {
  const { body } = await post(to.cms, '/api/upload', part)
  return (body as unknown as Record<string, unknown>[])[0] ?? {}
}

const photo = (orientation: number): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 10, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Copyright: 'A photographer' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()

test('a photo is turned upright and loses what the camera wrote', async () => {
  const made = await uploaded(library, file('p.jpg', 'image/jpeg', await photo(6)))
  expect(made).toMatchObject({ width: 10, height: 40 })
  const stored = await (await library.cms.fetch(String(made['url']))).arrayBuffer()
  const { width, height, orientation, exif } = await sharp(Buffer.from(stored)).metadata()
  expect([width, height, orientation, exif]).toEqual([10, 40, undefined, undefined])
})

test('without optimization it stays byte for byte', async () => {
  const bytes = await photo(6)
  const made = await uploaded(asSent, file('p.jpg', 'image/jpeg', bytes))
  expect(Object.keys(made['formats'] as object)).toEqual(['tiny'])
  const stored = await (await asSent.cms.fetch(String(made['url']))).arrayBuffer()
  expect(Buffer.from(stored).equals(bytes)).toBe(true)
})

test.each([
  ['60 000 by 60 000 pixels', bomb(60_000, 60_000), 'The image has 60000 x 60000 pixels'],
  ['an image without its data', bomb(10, 10).subarray(0, 60), 'The image cannot be decoded'],
])('%s are refused', async (_name, bytes, message) => {
  const answer = await post(library.cms, '/api/upload', file('b.png', 'image/png', bytes))
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(message) } },
  })
})

test.each([
  ['text', file('a.txt', 'text/plain', 'x')],
  ['text that says it is an image', file('a.png', 'image/png', 'x')],
  ['a PDF that says it is text', file('a.txt', 'text/plain', '%PDF-1.7 ')],
])('only what is allowed is taken: %s', async (_name, part) => {
  expect((await post(asSent.cms, '/api/upload', part)).status).toBe(400)
})

/** The head of a PNG, and a little data. */
function bomb(width: number, height: number): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([head, body, sum])
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
