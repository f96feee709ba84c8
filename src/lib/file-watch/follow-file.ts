// Reports each new content of a file once, when it is stable; contents that look like an incomplete save wait
// longer.

import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { readRegularFile } from '../read-regular-file.ts'

export interface FollowOptions {
  /** Called when the content is stable and new. */
  readonly onChange: (file: string, content: Buffer) => void
  /**
   * Called once until the file is back. Without a reason it is gone, otherwise unreadable: a directory, a
   * pipe, too large.
   */
  readonly onMissing?: (file: string, reason: string | undefined) => void
  /** Epoch milliseconds: a later modification counts as a change at the start. */
  readonly since?: number
}

export interface FollowedFile {
  readonly file: string
  look(): void
  /** Calls `look` only when the file's stamp has changed. */
  glance(): Promise<void>
  stop(): void
}

/** Milliseconds between two readings that must agree. */
const SETTLE_MS = 15
/**
 * For a file that is saved continuously, so that two readings fit between two saves. A value below the file
 * system's clock tick would miss a save with an equal stamp.
 */
const SETTLE_FACTOR = 6
const STORM_AFTER_MS = 1000
/** Milliseconds for contents that look incomplete. */
const SETTLE_SUSPECT_MS = 500
/** A shorter absence is a replacement. */
const MISSING_AFTER_MS = 300
/** For a seed in JSON. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The resolution of file times, in milliseconds. */
const FILE_TIME_RESOLUTION_MS = 20

/** Resolves when the current content was read. */
export async function followFile(file: string, options: FollowOptions): Promise<FollowedFile> {
  const { onChange, onMissing, since } = options
  let stamp = await readStamp(file)
  const first = await read(file)
  let known = first.content
  let missing = known === undefined
  let looking = false
  let again = false
  let stopped = false
  if (since !== undefined && (await touchedAt(file)) >= since - FILE_TIME_RESOLUTION_MS) known = undefined

  async function settle(): Promise<void> {
    const started = performance.now()
    let { content, reason } = await read(file)
    let restsSince = performance.now()
    while (!stopped) {
      const now = performance.now()
      const gap = now - started > STORM_AFTER_MS ? SETTLE_FACTOR : SETTLE_MS
      const rest =
        content === undefined ? MISSING_AFTER_MS : suspect(known, content) ? SETTLE_SUSPECT_MS : gap
      if (now - restsSince >= rest) break
      await wait(gap)
      stamp = await readStamp(file)
      const next = await read(file)
      reason = next.reason
      if (!same(next.content, content)) {
        content = next.content
        restsSince = performance.now()
      }
    }
    if (stopped) return
    if (content === undefined) {
      if (!missing) onMissing?.(file, reason)
      missing = true
      return
    }
    const changed = missing || !same(content, known)
    missing = false
    known = content
    if (changed) onChange(file, content.bytes)
  }

  function look(): void {
    if (stopped) return
    again = looking
    if (looking) return
    looking = true
    void (async () => {
      do {
        again = false
        await settle()
      } while (again && !stopped)
      looking = false
    })()
  }

  if (since !== undefined && known === undefined && !missing) look()
  return {
    file,
    look,
    async glance() {
      if ((await readStamp(file)) !== stamp) look()
    },
    stop() {
      stopped = true
    },
  }
}

interface Content {
  readonly bytes: Buffer
  readonly hash: string
}

interface Reading {
  readonly content: Content | undefined
  readonly reason: string | undefined
}

async function read(file: string): Promise<Reading> {
  const found = await readRegularFile(file, MAX_FILE_BYTES)
  if (!found.ok) return { content: undefined, reason: found.missing ? undefined : found.reason }
  const { bytes } = found
  return { content: { bytes, hash: createHash('sha256').update(bytes).digest('hex') }, reason: undefined }
}

function same(a: Content | undefined, b: Content | undefined): boolean {
  return a?.hash === b?.hash
}

/**
 * Truncated YAML can be valid, and lack the line that makes an attribute private. A complete save is rarely
 * both shorter and different at the end.
 */
function suspect(known: Content | undefined, content: Content): boolean {
  const after = content.bytes
  if (after.length === 0) return true
  if (known === undefined) return !endsLine(after)
  const before = known.bytes
  if (same(known, content)) return false
  if (endsLine(before) && !endsLine(after)) return true
  if (after.length >= before.length) return false
  return !endsWith(after, lastLine(before)) || before.subarray(0, after.length).equals(after)
}

const NEW_LINE = 10

function endsLine(bytes: Buffer): boolean {
  return bytes.at(-1) === NEW_LINE
}

function lastLine(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.lastIndexOf(NEW_LINE, bytes.length - 2) + 1)
}

function endsWith(bytes: Buffer, end: Buffer): boolean {
  return bytes.length >= end.length && bytes.subarray(bytes.length - end.length).equals(end)
}

export async function readStamp(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch {
    return 'missing'
  }
}

async function touchedAt(file: string): Promise<number> {
  try {
    const { mtimeMs, ctimeMs } = await stat(file)
    return Math.max(mtimeMs, ctimeMs)
  } catch {
    return Number.NEGATIVE_INFINITY
  }
}
