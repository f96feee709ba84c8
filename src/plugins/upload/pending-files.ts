// Names of files that are stored before the entry that shows them is written. A process that is killed in between leaves
// such a name, by which the next start finds the file; files without a name there are never touched.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers'
import { isRecord } from '../../lib/is-record.ts'
import { isKey } from './file-names.ts'
import { abandonedBefore, OWN_FOLDER, spoolFolder } from './spool-folder.ts'

export interface PendingFiles {
  begin(key: string): Promise<void>
  /** The entry is written, or the file is removed. */
  end(keys: readonly string[]): Promise<void>
  /** Removes files of processes that have ended, unless an entry shows them. */
  sweep(now: number, files: SweptFiles): Promise<void>
}

interface SweptFiles {
  isShown(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  failed(error: unknown): void
}

/** A database server may still be committing what a process sent that has just ended. */
const COMMIT_MS = 2000
const ENDING = '.json'

/** `base`: where incoming files wait; `database`: entries in another one do not show whether a file is needed. */
export function createPendingFiles(base: string, database: string): PendingFiles {
  const folder = join(base, 'pending')
  const own = join(folder, OWN_FOLDER)
  const buildPath = (key: string): string =>
    join(own, createHash('sha256').update(`${database}\0${key}`).digest('hex') + ENDING)

  return {
    async begin(key) {
      // The folder of the user's temporary files is checked there.
      await spoolFolder(base)
      await mkdir(own, { recursive: true, mode: 0o700 })
      await writeFile(buildPath(key), JSON.stringify({ key, database }))
    },
    async end(keys) {
      for (const key of keys) await rm(buildPath(key), { force: true })
    },
    async sweep(now, files) {
      for (const name of await namesIn(folder)) {
        const before = abandonedBefore(name, now)
        if (before === undefined) continue
        const place = join(folder, name)
        for (const file of await namesIn(place)) await sweepOne(join(place, file), before, files)
        if (name !== OWN_FOLDER) await rmdir(place).catch(() => undefined)
      }
    },
  }

  async function sweepOne(path: string, before: number, files: SweptFiles): Promise<void> {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || found.mtimeMs >= before) return
    const key = buildKey(await readFile(path, 'utf8').catch(() => ''))
    if (key === undefined) return
    const wait = Math.min(COMMIT_MS, COMMIT_MS - (Date.now() - found.mtimeMs))
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      if (!(await files.isShown(key))) await files.remove(key)
      await rm(path, { force: true })
    } catch (error) {
      // The next start tries again.
      files.failed(error)
    }
  }

  /** Undefined for a name of another database, or one that was not written to its end: nothing was stored then. */
  function buildKey(text: string): string | undefined {
    try {
      const pending: unknown = JSON.parse(text)
      if (!isRecord(pending) || pending['database'] !== database) return undefined
      const { key } = pending
      return typeof key === 'string' && isKey(key) ? key : undefined
    } catch {
      return undefined
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}
