// Files -> a call when the content of one has changed and come to rest. The folder is watched, never the file: a
// watch on a file is lost with its first deletion or rename. A look at the files once a second catches what no event
// tells (mounts, swapped links, folders that were made anew).

import { basename, dirname, resolve } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import type { FSWatcher } from 'chokidar'
import { type FollowedFile, type FollowOptions, followFile } from './follow-file.ts'

export interface WatchOptions extends FollowOptions {
  /** Network mounts: no events, only the look once a second. */
  readonly poll?: boolean
  /** Milliseconds between two looks. */
  readonly lookEvery?: number
}

export interface FileWatch {
  /** Watches these from now on; those that were watched before keep their place. */
  setFiles(files: readonly string[]): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY = 1000

/** Resolves when the watch is in place and the present contents are known. */
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
    // Folders first: what is saved while the contents are read is then seen as well.
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
    // The folder itself: its other files may be many, and each would be a watch of its own.
    const watcher = watch(folder, {
      depth: 0,
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => resolve(path) !== folder,
    })
    folders.set(folder, watcher)
    // An event of another file is a sign as well: links may be swapped under another name.
    watcher.on('raw', (_event, path) => {
      for (const [file, one] of followed) {
        if (dirname(file) !== folder) continue
        if (basename(file) === basename(path ?? '')) one.look()
        else void one.glance()
      }
    })
    // A folder that cannot be watched (limits, mounts) is still looked at once a second.
    watcher.on('error', () => {})
    await new Promise<void>((ready) => watcher.once('ready', ready))
  }

  await setFiles(files)
  const timer = setInterval(() => {
    for (const one of followed.values()) void one.glance()
  }, options.lookEvery ?? LOOK_EVERY)
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
