// Stores the files of the `memory` provider for the life of the process, across apps.

import type { ByteRange, ServedFile, UploadProvider } from './upload-provider.ts'

/** Shares the bytes: stored contents are replaced, never changed. */
export type MemoryFilesCopy = ReadonlyMap<string, ServedFile>

export interface MemoryFiles extends UploadProvider {
  copy(): MemoryFilesCopy
  restore(copy: MemoryFilesCopy): void
}

export function createMemoryFiles(): MemoryFiles {
  let files = new Map<string, ServedFile>()
  return {
    // This name tells clients that the URL is relative to this server.
    name: 'local',
    async store({ key, chunks }) {
      const pieces: Uint8Array[] = []
      for await (const piece of chunks()) pieces.push(piece)
      files.set(key, inMemory(Buffer.concat(pieces), new Date()))
      return { url: `/uploads/${key}` }
    },
    async remove(key) {
      files.delete(key)
    },
    open: async (key) => files.get(key),
    copy: () => new Map(files),
    restore(copy) {
      files = new Map(copy)
    },
  }
}

/** Contents are sent in pieces, so that a slow reader holds no copy of the whole. */
const CHUNK_BYTES = 256 * 1024

function inMemory(bytes: Uint8Array, modified: Date): ServedFile {
  return { size: bytes.length, modified, chunks: (range) => readPieces(bytes, range) }
}

export async function* readPieces(bytes: Uint8Array, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const end = range === undefined ? bytes.length : range.end + 1
  for (let at = range?.start ?? 0; at < end; at += CHUNK_BYTES)
    yield bytes.subarray(at, Math.min(at + CHUNK_BYTES, end))
}
