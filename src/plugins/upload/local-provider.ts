// Stores files in a folder beside the configuration. Storing is atomic: a file is written under another name,
// synced, and renamed.

import { randomBytes } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProviderFile, UploadProvider } from '../upload-provider.ts'
import { openFileOnDisk } from './file-on-disk.ts'
import { spoolFolder, sweepSpools } from './spool-folder.ts'

interface LocalProvider extends UploadProvider {
  readonly spoolDirectory: string
  /** Removes files of crashed processes. */
  sweep(now: number): Promise<void>
}

export function createLocalProvider(directory: string): LocalProvider {
  const spoolDirectory = join(directory, '.incoming')

  async function written(file: ProviderFile): Promise<string> {
    const path = join(await spoolFolder(spoolDirectory), randomBytes(16).toString('hex'))
    const handle = await open(path, 'wx', 0o644)
    try {
      for await (const piece of file.chunks()) await handle.write(piece)
      await handle.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return path
  }

  return {
    name: 'local',
    spoolDirectory,
    async store(file) {
      const path =
        file.path?.startsWith(spoolDirectory) === true ? await synced(file.path) : await written(file)
      await rename(path, join(directory, file.key))
      return { url: `/uploads/${file.key}` }
    },
    async remove(key) {
      await rm(join(directory, key), { force: true })
    },
    async open(key) {
      const path = join(directory, key)
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined || !found.isFile()) return undefined
      return { ...openFileOnDisk(path, found.size), modified: found.mtime }
    },
    sweep: (now) => sweepSpools(spoolDirectory, now),
  }
}

async function synced(path: string): Promise<string> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return path
}
