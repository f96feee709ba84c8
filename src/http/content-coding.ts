// Chooses a content coding (RFC 9110, 8.4.1) and compresses bodies on other threads.

import { promisify } from 'node:util'
import zlib from 'node:zlib'

export type Coding = 'br' | 'zstd' | 'gzip'

/** Smaller bodies fit in one or two packets uncompressed. */
export const MIN_COMPRESSED_BYTES = 1024

/** The threads are needed for passwords and files, too. */
const MAX_CONCURRENT = 2

type Compress = (body: Buffer) => Promise<Buffer>

/** Best first. Node.js has zstd from 22.15 on. */
const codings: ReadonlyMap<Coding, Compress> = new Map<Coding, Compress>([
  ['br', brotli],
  ...('zstdCompress' in zlib ? [['zstd', promisify(zlib.zstdCompress as typeof zlib.gzip)] as const] : []),
  ['gzip', promisify<Buffer, Buffer>(zlib.gzip)],
])

const brotliAsync = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)

function brotli(body: Buffer): Promise<Buffer> {
  const params = {
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  return brotliAsync(body, { params })
}

let running = 0

/** Undefined while `MAX_CONCURRENT` compressions run. */
export function compress(coding: Coding, body: Buffer): Promise<Buffer> | undefined {
  const task = codings.get(coding)
  if (task === undefined || running >= MAX_CONCURRENT) return undefined
  running += 1
  return task(body).finally(() => {
    running -= 1
  })
}

/** Browsers send the same text with every request. */
let last: { readonly text: string; readonly coding: Coding | undefined } | undefined

/** Undefined: no coding (RFC 9110, 12.5.3). */
export function chooseCoding(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined) return undefined
  if (last?.text !== accepted) last = { text: accepted, coding: preferred(accepted) }
  return last.coding
}

function preferred(accepted: string): Coding | undefined {
  const qualities = new Map<string, number>()
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2)
    if (name !== '') qualities.set(name === 'x-gzip' ? 'gzip' : name, getQuality(quality))
  }
  const every = qualities.get('*') ?? 0
  // Without an entry, `identity` ranks below every named coding.
  let best: Coding | undefined
  let highest = qualities.get('identity') ?? 0
  for (const coding of codings.keys()) {
    const quality = qualities.get(coding) ?? every
    if (quality > 0 && (quality > highest || (best === undefined && quality === highest))) {
      best = coding
      highest = quality
    }
  }
  return best
}

/** An invalid quality counts as 0, because every client accepts an unencoded body. */
function getQuality(text: string | undefined): number {
  if (text === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
