// Opens the stored files for an export or an import; undefined if they are in the memory of the serving
// process.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredFiles } from '../../storage/archive/stored-files.ts'
import { createMemoryFiles } from '../memory-files.ts'
import { openFileOnDisk } from './file-on-disk.ts'
import { buildDelivery } from './media-types.ts'
import { openProvider } from './open-provider.ts'
import type { UploadOptions } from './options.ts'

export async function openStoredFiles(
  options: UploadOptions,
  exported: (reference: string) => unknown,
): Promise<StoredFiles | undefined> {
  if (options.provider === 'memory') return undefined
  const opened = openProvider(options, createMemoryFiles(), exported)
  const provider = await opened.get()
  const keys: string[] = []
  return {
    provider: provider.name ?? options.provider,
    async open(key) {
      return provider.open?.(key)
    },
    async store(key, file) {
      // An archive can be read only once, but a provider may need to read a file again.
      const folder = await mkdtemp(join(tmpdir(), 'cms-run-import-'))
      try {
        const path = join(folder, 'file')
        await pipeline(file.chunks(), createWriteStream(path))
        await opened.pending?.begin(key)
        keys.push(key)
        const { contentType: mime, attachment: active } = buildDelivery(key)
        const { url } = await provider.store({ key, mime, active, ...openFileOnDisk(path, file.size) })
        return url
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    settle: async () => opened.pending?.end(keys),
  }
}
