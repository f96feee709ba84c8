// A file that arrives -> kept aside until it is known what becomes of it: small ones in memory, larger ones on disk.

import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError } from '../../errors/api-error.ts'
import { piecesOf } from '../memory-files.ts'
import type { FileContent } from '../upload-provider.ts'
import { fileOnDisk } from './file-on-disk.ts'

export interface Spooled extends FileContent {
  /** Where it lies, if it is on disk. */
  readonly path: string | undefined
  /** The whole of it, if it is in memory. */
  readonly bytes: Uint8Array | undefined
  /** Its first bytes, as far as types are told by them. */
  readonly head: Uint8Array
  release(): Promise<void>
}

/** Files up to this size never touch the disk before they are stored. */
const IN_MEMORY = 256 * 1024
/** As many bytes as file-type asks for. */
const HEAD = 4100

const FALLBACK = join(tmpdir(), 'cms-run-uploads')

/** Throws PayloadTooLargeError beyond `limit`; whatever ends it early, nothing stays on disk. */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  directory = FALLBACK,
): Promise<Spooled> {
  const held: Uint8Array[] = []
  const path = join(directory, randomBytes(16).toString('hex'))
  let handle: FileHandle | undefined
  let size = 0
  let head: Uint8Array = new Uint8Array()
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > limit) {
        throw new ApiError('PayloadTooLargeError', `the file is larger than ${limit} bytes`)
      }
      if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD - head.length)])
      if (handle === undefined && size > IN_MEMORY) {
        await mkdir(directory, { recursive: true })
        handle = await open(path, 'wx', 0o644)
        for (const piece of held.splice(0)) await handle.write(piece)
      }
      if (handle === undefined) held.push(chunk)
      else await handle.write(chunk)
    }
    await handle?.close()
  } catch (error) {
    await handle?.close().catch(() => undefined)
    if (handle !== undefined) await rm(path, { force: true })
    throw error
  }
  if (handle !== undefined) {
    return { ...fileOnDisk(path, size), bytes: undefined, head, release: () => rm(path, { force: true }) }
  }
  const bytes = Buffer.concat(held)
  return {
    size,
    path: undefined,
    bytes,
    head,
    chunks: (range) => piecesOf(bytes, range),
    release: async () => {},
  }
}
