// Holds an incoming file until it is stored or dropped: small files in memory, larger ones on disk.

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { IncomingFile } from '../../write/file-intake.ts'
import { readPieces } from '../memory-files.ts'
import type { FileContent } from '../upload-provider.ts'
import { openFileOnDisk } from './file-on-disk.ts'
import { spoolFolder, TEMPORARY_SPOOL } from './spool-folder.ts'

export interface SpooledFile extends FileContent {
  /** Set if the file is on disk. */
  readonly path: string | undefined
  /** The whole content, if it is in memory. */
  readonly bytes: Uint8Array | undefined
  /** Enough bytes to detect the type. */
  readonly head: Uint8Array
  release(): Promise<void>
}

/** Larger files go to disk, as do all files when memory is full. */
const MAX_MEMORY_BYTES = 256 * 1024
/** Bytes that file-type needs. */
const HEAD_BYTES = 4100

/** Throws PayloadTooLargeError beyond `limit`; any error removes the file from disk. */
export async function spool(
  { memory, chunks }: Pick<IncomingFile, 'memory' | 'chunks'>,
  limit: number,
  directory = TEMPORARY_SPOOL,
): Promise<SpooledFile> {
  const held: Uint8Array[] = []
  let heldBytes = 0
  let path = ''
  let handle: FileHandle | undefined
  let size = 0
  let head: Uint8Array = new Uint8Array()
  try {
    for await (const chunk of chunks()) {
      size += chunk.length
      if (size > limit) {
        throw new ApiError('PayloadTooLargeError', `the file is larger than ${limit} bytes`)
      }
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      if (handle === undefined) {
        if (size <= MAX_MEMORY_BYTES && memory?.tryHold(chunk.length) !== false) {
          held.push(chunk)
          heldBytes += chunk.length
          continue
        }
        path = join(await spoolFolder(directory), randomBytes(16).toString('hex'))
        handle = await open(path, 'wx', 0o644)
        for (const piece of held.splice(0)) await handle.write(piece)
        memory?.release(heldBytes)
      }
      await handle.write(chunk)
    }
    await handle?.close()
  } catch (error) {
    await handle?.close().catch(() => undefined)
    if (handle !== undefined) await rm(path, { force: true })
    throw error
  }
  if (handle !== undefined) {
    return { ...openFileOnDisk(path, size), bytes: undefined, head, release: () => rm(path, { force: true }) }
  }
  const bytes = Buffer.concat(held)
  return {
    size,
    path: undefined,
    bytes,
    head,
    chunks: (range) => readPieces(bytes, range),
    release: async () => {},
  }
}
