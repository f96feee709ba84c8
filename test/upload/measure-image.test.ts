// The size of an image without sharp: what its first bytes say, and nothing of what is broken or hostile.

import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { measureImage } from '../../src/plugins/upload/measure-image.ts'

const red = { create: { width: 40, height: 10, channels: 3, background: 'red' } } as const
const IMAGES: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  'image/png': () => sharp(red).png().toBuffer(),
  'image/jpeg': () => sharp(red).jpeg().toBuffer(),
  'image/gif': () => sharp(red).gif().toBuffer(),
  'image/webp': () => sharp(red).webp().toBuffer(),
  'image/avif': () => sharp(red).avif().toBuffer(),
  'image/tiff': () => sharp(red).tiff().toBuffer(),
  'image/svg+xml': async () =>
    Buffer.from(
      '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"/>',
    ),
}

const measure = (bytes: Uint8Array, mime: string) => measureImage({ bytes, path: undefined }, mime)

test.each(Object.entries(IMAGES))('%s', async (mime, make) => {
  expect(await measure(await make(), mime)).toEqual({ width: 40, height: 10 })
})

test('a photo that is turned', async () => {
  const turned = await sharp(red).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await measure(turned, 'image/jpeg')).toEqual({ width: 10, height: 40 })
})

test('an SVG with a view box only', async () => {
  const svg = Buffer.from('<svg viewBox="0 0 80 20" xmlns="http://www.w3.org/2000/svg"></svg>')
  expect(await measure(svg, 'image/svg+xml')).toEqual({ width: 80, height: 20 })
})

test.each([
  ['nothing', Buffer.alloc(0), 'image/png'],
  ['zeros', Buffer.alloc(300_000), 'image/avif'],
  ['many beginnings of an SVG', Buffer.from('<svg '.repeat(60_000)), 'image/svg+xml'],
  [
    'a JPEG without a size',
    Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(300_000, 1)]),
    'image/jpeg',
  ],
  [
    'boxes without a length',
    Buffer.from(`${'\0\0\0\x18ftypavif'}${'\0\0\0\0ispe'.repeat(30_000)}`, 'latin1'),
    'image/avif',
  ],
])('%s has no size', async (_, bytes, mime) => {
  expect(await measure(bytes, mime)).toBeUndefined()
})

test('whatever is wrong in an image, measuring it ends', async () => {
  const images = await Promise.all(
    Object.entries(IMAGES).map(async ([mime, make]) => [mime, await make()] as const),
  )
  const change = fc.record({ at: fc.nat(4000), to: fc.uint8Array({ minLength: 1, maxLength: 8 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...images),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async ([mime, image], changes) => {
        const bytes = Uint8Array.from(image)
        for (const { at, to } of changes)
          bytes.set(to.slice(0, bytes.length - (at % bytes.length)), at % bytes.length)
        const size = await measure(bytes, mime)
        if (size !== undefined) expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
      },
    ),
    { numRuns: 2_000 },
  )
})
