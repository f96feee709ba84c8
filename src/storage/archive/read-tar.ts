// Reads the entries of a tar file in order. Throws for an unusual type, or a name that leads out of the
// archive.

import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { openRegularFile } from '../../lib/read-regular-file.ts'
import { ArchiveFault } from './archive-format.ts'

export interface TarEntry {
  readonly name: string
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
  /** Throws before reading if the entry is larger than `most`. */
  text(most: number): Promise<string>
}

const MAX_ENTRIES = 10_000_000
const MAX_NAME_LENGTH = 400

export async function* readTar(file: string): AsyncGenerator<TarEntry> {
  const opened = await openRegularFile(file)
  if (!opened.ok) throw new ArchiveFault(opened.reason)
  const { handle } = opened
  const gzipped = await isGzipped(handle)
  const source = handle.createReadStream({ autoClose: false, start: 0 })
  const tar = extract()
  const read = gzipped ? pipeline(source, createGunzip(), tar) : pipeline(source, tar)
  read.catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  let count = 0
  try {
    for await (const entry of tar) {
      count += 1
      if (count > MAX_ENTRIES) throw new ArchiveFault(`it has more than ${MAX_ENTRIES} entries`)
      const { type, name } = entry.header
      if (type !== 'directory') yield tarEntry(entry, checkedName(name, type ?? ''))
      entry.resume()
    }
    await read
  } catch (error) {
    // A generator's `catch` does not receive errors of the code that reads its entries.
    throw error instanceof ArchiveFault || isSystemError(error) ? error : broken(error)
  } finally {
    source.destroy()
    tar.destroy()
    await handle.close()
  }
}

type Source = Extract extends AsyncIterable<infer T> ? T : never

function tarEntry(entry: Source, name: string): TarEntry {
  const { size = 0 } = entry.header
  return {
    name,
    size,
    chunks: () => readPieces(entry),
    async text(most) {
      if (size > most) throw new ArchiveFault(`${name} has ${size} bytes; at most ${most} are read`)
      const pieces: Uint8Array[] = []
      for await (const piece of readPieces(entry)) pieces.push(piece)
      return decoded(Buffer.concat(pieces), name)
    },
  }
}

async function* readPieces(entry: Source): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of entry) if (piece instanceof Uint8Array) yield piece
  } catch (error) {
    // An error in the archive reaches the code that reads an entry first.
    throw isSystemError(error) ? error : broken(error)
  }
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ArchiveFault(`${name} is not UTF-8`)
  }
}

function checkedName(name: string, type: string): string {
  const plain = name.startsWith('./') ? name.slice(2) : name
  if (type !== 'file' && type !== 'contiguous-file')
    throw new ArchiveFault(`${shown(name)} is a ${type}, not a file`)
  const steps = plain.split('/')
  const strange = plain.length > MAX_NAME_LENGTH || plain.includes('\0') || plain.includes('\\')
  if (strange || steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new ArchiveFault(`${shown(name)} is not a valid name for an entry`)
  return plain
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function broken(failure: unknown): ArchiveFault {
  return new ArchiveFault(
    `it cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`,
  )
}

async function isGzipped(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
}
