// Reads an image's width and height from its first bytes, if sharp is not installed.

import { open } from 'node:fs/promises'

/** A photo's metadata may precede its size. */
const MAX_HEAD_BYTES = 131_072
/** The library searches SVG by a regular expression in quadratic time. */
const MAX_SVG_HEAD_BYTES = 4096
const MAX_SIDE_PIXELS = 1_000_000

export interface ImageSource {
  readonly bytes: Uint8Array | undefined
  readonly path: string | undefined
}

interface ImageSize {
  readonly width: number
  readonly height: number
}

export async function measureImage(source: ImageSource, mime: string): Promise<ImageSize | undefined> {
  const { imageSize } = await import('image-size')
  const head = await readHead(source, mime === 'image/svg+xml' ? MAX_SVG_HEAD_BYTES : MAX_HEAD_BYTES)
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    if (![width, height].every((side) => Number.isInteger(side) && side > 0 && side <= MAX_SIDE_PIXELS))
      return undefined
    // Rotated by 90 degrees: the visible width is the stored height.
    return orientation >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

async function readHead({ bytes, path }: ImageSource, length: number): Promise<Uint8Array> {
  if (bytes !== undefined || path === undefined) return (bytes ?? new Uint8Array()).subarray(0, length)
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
