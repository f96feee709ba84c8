// Watches the folders of files, since a watch on a file is lost when it is deleted or renamed. A check once a
// second finds changes without events (mounts, replaced links).

import { basename, dirname, resolve } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import type { FSWatcher } from 'chokidar'
import { type FollowedFile, type FollowOptions, followFile } from './follow-file.ts'

export interface WatchOptions extends FollowOptions {
  /** For network mounts: only checks once a second. */
  readonly poll?: boolean
  /** Milliseconds. */
  readonly lookEvery?: number
}

export interface FileWatch {
  /** Already watched files keep their state. */
  setFiles(files: readonly string[]): Promise<void>
  close(): Promise<void>
}

const CHECK_INTERVAL_MS = 1000

/** Resolves when the current contents were read. */
export async function watchFiles(files: readonly string[], options: WatchOptions): Promise<FileWatch> {
  const followed = new Map<string, FollowedFile>()
  const folders = new Map<string, FSWatcher>()
  let closed = false

  async function setFiles(wanted: readonly string[]): Promise<void> {
    const paths = new Set(wanted.map((file) => resolve(file)))
    for (const [file, one] of followed) {
      if (paths.has(file)) continue
      one.stop()
      followed.delete(file)
    }
    const wantedFolders = new Set([...paths].map((file) => dirname(file)))
    for (const [folder, watcher] of folders) {
      if (wantedFolders.has(folder)) continue
      folders.delete(folder)
      await watcher.close()
    }
    // Folders come first, so that saves during the reading are noticed, too.
    if (options.poll !== true) await Promise.all([...wantedFolders].map(watchFolder))
    await Promise.all(
      [...paths].map(async (file) => {
        if (followed.has(file)) return
        const one = await followFile(file, options)
        if (closed) one.stop()
        else followed.set(file, one)
      }),
    )
  }

  async function watchFolder(folder: string): Promise<void> {
    if (folders.has(folder)) return
    const { watch } = await import('chokidar')
    if (closed || folders.has(folder)) return
    // Subfolders may contain many files, each of which would need a watch.
    const watcher = watch(folder, {
      depth: 0,
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => resolve(path) !== folder,
    })
    folders.set(folder, watcher)
    // A file may be changed by replacing a link of another name.
    watcher.on('raw', (_event, path) => {
      for (const [file, one] of followed) {
        if (dirname(file) !== folder) continue
        if (basename(file) === basename(path ?? '')) one.look()
        else void one.glance()
      }
    })
    // Files of a folder that cannot be watched (limits, mounts) are still checked once a second.
    watcher.on('error', () => {})
    await new Promise<void>((ready) => watcher.once('ready', ready))
  }

  await setFiles(files)
  const timer = setInterval(() => {
    for (const one of followed.values()) void one.glance()
  }, options.lookEvery ?? CHECK_INTERVAL_MS)
  timer.unref()

  return {
    setFiles,
    async close() {
      closed = true
      clearInterval(timer)
      for (const one of followed.values()) one.stop()
      await Promise.all([...folders.values()].map((watcher) => watcher.close()))
    },
  }
}
