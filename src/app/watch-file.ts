// Files -> a call when the content of one has changed and come to rest. The folder is watched, never the file: a
// watch on a file is lost with its first deletion or rename (RELIABILITY 0.7). A look at the file once a second
// catches what no event tells (mounts, swapped links).

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FSWatcher } from 'chokidar'

export interface WatchOptions {
  /** The content is another one than at the last call. Called once for each such content. */
  readonly onChange: (file: string) => void
  /** The file is gone or cannot be read; called once until it is back. */
  readonly onMissing?: (file: string) => void
  /** Network mounts: no events, only the look once a second. */
  readonly poll?: boolean
}

export interface FileWatch {
  close(): Promise<void>
}

/** Two readings this far apart must agree. */
const SETTLE = 15
/** A content that looks half-written is given this long to become whole. */
const SETTLE_SUSPECT = 500
/** A file that is gone for less was only being replaced. */
const MISSING_AFTER = 300
const LOOK_EVERY = 1000

/** Resolves when the watch is in place and the present content is known. */
export async function watchFiles(files: readonly string[], options: WatchOptions): Promise<FileWatch> {
  const watched = await Promise.all(files.map((file) => watchOne(resolve(file), options)))
  const folders = new Set(watched.map(({ file }) => dirname(file)))
  const watchers: FSWatcher[] = []
  if (options.poll !== true) {
    const { watch } = await import('chokidar')
    for (const folder of folders) {
      const watcher = watch(folder, { depth: 0, ignoreInitial: true, followSymlinks: false, atomic: false })
      // Any event of the folder is a sign to look: links may be swapped under another name.
      watcher.on('all', () => {
        for (const one of watched) if (dirname(one.file) === folder) one.look()
      })
      // A folder that cannot be watched (limits, mounts) is still looked at once a second.
      watcher.on('error', () => {})
      watchers.push(watcher)
    }
    await Promise.all(watchers.map((watcher) => new Promise<void>((ready) => watcher.once('ready', ready))))
  }
  const timer = setInterval(() => {
    for (const one of watched) void one.glance()
  }, LOOK_EVERY)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      for (const one of watched) one.stop()
      await Promise.all(watchers.map((watcher) => watcher.close()))
    },
  }
}

interface Watched {
  readonly file: string
  /** Reads until the content rests, then compares. */
  look(): void
  /** Looks only when the file's stamp is another one. */
  glance(): Promise<void>
  stop(): void
}

async function watchOne(file: string, { onChange, onMissing }: WatchOptions): Promise<Watched> {
  let known = await read(file)
  let missing = known === undefined
  let stamp = await stampOf(file)
  let looking = false
  let again = false
  let stopped = false

  async function settle(): Promise<void> {
    const started = Date.now()
    let content = await read(file)
    let restsSince = Date.now()
    while (!stopped) {
      const limit = content === undefined ? MISSING_AFTER : suspect(known, content) ? SETTLE_SUSPECT : SETTLE
      if (Date.now() - restsSince >= limit) break
      await wait(SETTLE)
      const next = await read(file)
      if (!same(next, content)) {
        content = next
        restsSince = Date.now()
      }
      // A file that never rests is taken as it is found, once in a while.
      if (Date.now() - started > 10 * SETTLE_SUSPECT) break
    }
    if (stopped) return
    stamp = await stampOf(file)
    if (content === undefined) {
      if (!missing) onMissing?.(file)
      missing = true
      return
    }
    const changed = missing || !same(content, known)
    missing = false
    if (!changed) return
    known = content
    onChange(file)
  }

  function look(): void {
    if (stopped) return
    if (looking) {
      again = true
      return
    }
    looking = true
    void (async () => {
      do {
        again = false
        await settle()
      } while (again && !stopped)
      looking = false
    })()
  }

  return {
    file,
    look,
    async glance() {
      if ((await stampOf(file)) !== stamp) look()
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

async function read(file: string): Promise<Content | undefined> {
  try {
    const bytes = await readFile(file)
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
  } catch {
    return undefined
  }
}

function same(a: Content | undefined, b: Content | undefined): boolean {
  return a?.hash === b?.hash
}

/**
 * Whether a content may be the first part of a save: cut-off YAML can be valid YAML, and lack just the line that
 * made something private (RELIABILITY 0.8).
 */
function suspect(known: Content | undefined, content: Content): boolean {
  if (content.bytes.length === 0) return true
  if (known === undefined || same(known, content)) return false
  if (endsLine(known.bytes) && !endsLine(content.bytes)) return true
  return (
    content.bytes.length < known.bytes.length &&
    known.bytes.subarray(0, content.bytes.length).equals(content.bytes)
  )
}

const NEW_LINE = 10

function endsLine(bytes: Buffer): boolean {
  return bytes.at(-1) === NEW_LINE
}

/** What changes when a file does, as far as the file system tells. */
export async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch {
    return 'missing'
  }
}
