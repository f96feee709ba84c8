// Copies stored files while new contents replace them, and restores them on failure.

import { extname } from 'node:path'
import type { UploadProvider } from '../upload-provider.ts'
import { buildDelivery, isActive } from './media-types.ts'
import { type SpooledFile, spool } from './spool.ts'

interface Backup {
  restore(): Promise<void>
  release(): Promise<void>
}

/** Empty if the provider cannot read files. */
export async function backUp(provider: UploadProvider, keys: readonly string[]): Promise<Backup> {
  const kept: { readonly key: string; readonly spooled: SpooledFile }[] = []
  const release = async (): Promise<void> => {
    for (const { spooled } of kept) await spooled.release()
  }
  try {
    for (const key of keys) {
      const file = await provider.open?.(key)
      if (file === undefined) continue
      const spooled = await spool(
        { chunks: () => file.chunks() },
        Number.POSITIVE_INFINITY,
        provider.spoolDirectory,
      )
      kept.push({ key, spooled })
    }
  } catch (error) {
    await release()
    throw error
  }
  return {
    async restore() {
      for (const { key, spooled } of kept) {
        const mime = buildDelivery(key).contentType
        const active = isActive(extname(key), mime)
        await provider.store({ key, mime, active, size: spooled.size, chunks: spooled.chunks })
      }
    },
    release,
  }
}
