// Records the names of files that are stored before their entry. The next start finds files of a killed
// process by these names; it never touches other files.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers'
import { isRecord } from '../../lib/is-record.ts'
import { isKey } from './file-names.ts'
import { getAbandonedBefore, OWN_FOLDER, spoolFolder } from './spool-folder.ts'

export interface PendingFiles {
  begin(key: string): Promise<void>
  /** Called when the entry is written or the file is removed. */
  end(keys: readonly string[]): Promise<void>
  /** Removes files of ended processes, unless an entry shows them. */
  sweep(now: number, files: SweptFiles): Promise<void>
}

interface SweptFiles {
  isShown(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  failed(error: unknown): void
}

/** A database server may still be committing data of a process that has just ended. */
const COMMIT_MS = 2000
const ENDING = '.json'

/**
 * `base`: the folder of incoming files; `database`: entries of another database do not show whether a file is
 * needed.
 */
export function createPendingFiles(base: string, database: string): PendingFiles {
  const folder = join(base, 'pending')
  const own = join(folder, OWN_FOLDER)
  const buildPath = (key: string): string =>
    join(own, createHash('sha256').update(`${database}\0${key}`).digest('hex') + ENDING)

  return {
    async begin(key) {
      // This checks the folder of the user's temporary files.
      await spoolFolder(base)
      await mkdir(own, { recursive: true, mode: 0o700 })
      await writeFile(buildPath(key), JSON.stringify({ key, database }))
    },
    async end(keys) {
      for (const key of keys) await rm(buildPath(key), { force: true })
    },
    async sweep(now, files) {
      for (const name of await namesIn(folder)) {
        const before = getAbandonedBefore(name, now)
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

  /** Undefined for another database, or for an incomplete name, whose file was not stored. */
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
