// A configuration -> where its uploaded files are kept, for an export or an import; undefined where the upload plugin
// is switched off, or keeps them in the memory of the process that serves them.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredFiles } from '../archive/stored-files.ts'
import type { Config } from '../config/config.ts'
import { createMemoryFiles } from '../plugins/memory-files.ts'
import { isPluginEnabled } from '../plugins/plugin-host.ts'
import { fileOnDisk } from '../plugins/upload/file-on-disk.ts'
import { deliveryOf } from '../plugins/upload/media-types.ts'
import { openProvider } from '../plugins/upload/open-provider.ts'
import { parseOptions } from '../plugins/upload/options.ts'
import { loadUserCode } from '../user-code/load-user-code.ts'

export async function openStoredFiles(config: Config): Promise<StoredFiles | undefined> {
  if (!isPluginEnabled(config, 'upload')) return undefined
  const settings = Object.hasOwn(config.plugins, 'upload') ? config.plugins['upload'] : undefined
  const options = parseOptions({ config: settings?.config ?? {}, whole: config, report: () => {} })
  if (options.provider === 'memory') return undefined
  const provider = await openProvider(options, createMemoryFiles(), async (reference) => {
    const code = await loadUserCode(config)
    return code.exported(reference)
  }).get()
  return {
    provider: provider.name ?? options.provider,
    async open(key) {
      return provider.open?.(key)
    },
    async store(key, file) {
      // An archive is read once, from its beginning to its end; a provider may want to read a file again.
      const folder = await mkdtemp(join(tmpdir(), 'cms-run-import-'))
      try {
        const path = join(folder, 'file')
        await pipeline(file.chunks(), createWriteStream(path))
        const { contentType: mime, attachment: active } = deliveryOf(key)
        const { url } = await provider.store({ key, mime, active, ...fileOnDisk(path, file.size) })
        return url
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
