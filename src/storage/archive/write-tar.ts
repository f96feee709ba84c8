// Writes a gzipped tar file, which gets its final name only when it is complete.

import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { raceAgainst } from '../../lib/race-against.ts'

export interface TarWriter {
  text(name: string, content: string): Promise<void>
  /** `size` must be the exact number of bytes in `chunks`. */
  bytes(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void>
  finish(): Promise<void>
  abandon(): Promise<void>
}

export function writeTar(file: string): TarWriter {
  const partial = `${file}.partial`
  const tar = pack()
  const written = pipeline(tar, createGzip(), createWriteStream(partial, { mode: 0o600 }))
  const unlessBroken = raceAgainst(written)

  async function bytes(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await unlessBroken(writeEntry(name, size, chunks))
  }
  function writeEntry(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
      void (async () => {
        for await (const chunk of chunks) if (!entry.write(chunk)) await drained(entry)
        entry.end(undefined)
      })().catch(reject)
    })
  }

  return {
    bytes,
    text(name, content) {
      const buffer = Buffer.from(content)
      return bytes(name, buffer.length, one(buffer))
    },
    async finish() {
      tar.finalize()
      await written
      const handle = await open(partial, 'r+')
      await handle.sync().finally(() => handle.close())
      await rename(partial, file)
    },
    async abandon() {
      tar.destroy()
      await written.catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

async function* one(buffer: Uint8Array): AsyncGenerator<Uint8Array> {
  yield buffer
}

/** Also resolves when the stream has ended. */
function drained(entry: ReturnType<Pack['entry']>): Promise<void> {
  return new Promise((resolve) => {
    entry.once('drain', () => resolve())
    entry.once('close', () => resolve())
  })
}
