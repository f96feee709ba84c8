// Reads a file on disk, or a range of it, in pieces, as fast as the reader takes them.

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ByteRange, FileContent } from '../upload-provider.ts'

const CHUNK_BYTES = 64 * 1024

/** Refuses links, whose target may be any file, and does not block on a pipe. */
const READ_PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0)

export function openFileOnDisk(path: string, size: number): FileContent & { readonly path: string } {
  return { path, size, chunks: (range) => readPieces(path, range ?? { start: 0, end: size - 1 }) }
}

async function* readPieces(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const handle = await open(path, READ_PLAIN)
  try {
    for (let at = start; at <= end; ) {
      const wanted = Math.min(CHUNK_BYTES, end + 1 - at)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
