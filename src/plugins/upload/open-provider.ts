// The name of a provider -> the provider, opened when the first file asks for it.

import { resolve } from 'node:path'
import type { MemoryFiles } from '../memory-files.ts'
import type { UploadProvider } from '../upload-provider.ts'
import { createLocalProvider } from './local-provider.ts'
import type { UploadOptions } from './options.ts'
import { createS3Provider } from './s3-provider.ts'
import { sweepSpools, TEMPORARY_SPOOL } from './spool-folder.ts'

export interface OpenedProvider {
  /** Always the same one. */
  get(): Promise<UploadProvider>
  /** What a process that broke down left behind is removed. */
  sweep(now: number): Promise<void>
}

export function openProvider(
  { provider, providerOptions, directory }: UploadOptions,
  memoryFiles: MemoryFiles,
  /** What a reference to a module stands for. */
  exported: (reference: string) => unknown,
): OpenedProvider {
  switch (provider) {
    case 'memory':
      return late(async () => memoryFiles)
    case 'local': {
      const folder = providerOptions['directory']
      const local = createLocalProvider(resolve(directory, typeof folder === 'string' ? folder : './uploads'))
      return { get: async () => local, sweep: (now) => local.sweep(now) }
    }
    case 'aws-s3':
      return late(() => createS3Provider(providerOptions))
    default:
      return late(async () => moduleProvider(await exported(provider), provider, providerOptions))
  }
}

/** Opened once; where that failed, the next file tries again. */
function late(open: () => Promise<UploadProvider>): OpenedProvider {
  let opened: Promise<UploadProvider> | undefined
  return {
    get() {
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    sweep: (now) => sweepSpools(TEMPORARY_SPOOL, now),
  }
}

/**
 * What a module of the user's exports -> the provider that it makes (docs/uploads.md "A provider of one's own"). Rejects with
 * what is wrong with the module: `reference` is how the configuration calls it.
 */
export async function moduleProvider(
  create: unknown,
  reference: string,
  options: Readonly<Record<string, unknown>>,
): Promise<UploadProvider> {
  if (typeof create !== 'function') {
    throw new TypeError(`${reference} must export a function that answers { store, remove, open }`)
  }
  const provider: unknown = await create(options)
  for (const method of ['store', 'remove'] as const) {
    if (typeof (provider as Partial<UploadProvider> | undefined)?.[method] !== 'function') {
      throw new TypeError(`the provider of ${reference} has no function "${method}"`)
    }
  }
  return provider as UploadProvider
}
