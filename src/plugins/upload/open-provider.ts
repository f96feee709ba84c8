// Opens a provider by name when the first file needs it.

import type { MemoryFiles } from '../memory-files.ts'
import type { UploadProvider } from '../upload-provider.ts'
import { createLocalProvider } from './local-provider.ts'
import { getLocalFolder, type UploadOptions } from './options.ts'
import { createPendingFiles, type PendingFiles } from './pending-files.ts'
import { createS3Provider } from './s3-provider.ts'
import { sweepSpools, TEMPORARY_SPOOL } from './spool-folder.ts'

interface OpenedProvider {
  /** Always returns the same provider. */
  get(): Promise<UploadProvider>
  /** Removes files of crashed processes. */
  sweep(now: number): Promise<void>
  /** Undefined if files end with the process. */
  readonly pending: PendingFiles | undefined
}

export function openProvider(
  options: UploadOptions,
  memoryFiles: MemoryFiles,
  exported: (reference: string) => unknown,
): OpenedProvider {
  const { provider, providerOptions, database } = options
  const elsewhere = (): PendingFiles => createPendingFiles(TEMPORARY_SPOOL, database)
  switch (provider) {
    case 'memory':
      return late(undefined, async () => memoryFiles)
    case 'local': {
      const local = createLocalProvider(getLocalFolder(options))
      return {
        get: async () => local,
        sweep: (now) => local.sweep(now),
        pending: createPendingFiles(local.spoolDirectory, database),
      }
    }
    case 'aws-s3':
      return late(elsewhere(), () => createS3Provider(providerOptions))
    default:
      return late(elsewhere(), async () =>
        loadModuleProvider(await exported(provider), provider, providerOptions),
      )
  }
}

/** After a failure, the next file tries again. */
function late(pending: PendingFiles | undefined, open: () => Promise<UploadProvider>): OpenedProvider {
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
    pending,
  }
}

/**
 * Makes the provider that a user's module exports (docs/reference/uploads.md). Rejects with a message about
 * the module; `reference` is its name in the configuration.
 */
export async function loadModuleProvider(
  create: unknown,
  reference: string,
  options: Readonly<Record<string, unknown>>,
): Promise<UploadProvider> {
  if (typeof create !== 'function') {
    throw new TypeError(`${reference} must export a function that returns { store, remove, open }`)
  }
  const provider: unknown = await create(options)
  for (const method of ['store', 'remove'] as const) {
    if (typeof (provider as Partial<UploadProvider> | undefined)?.[method] !== 'function') {
      throw new TypeError(`the provider of ${reference} has no function "${method}"`)
    }
  }
  return provider as UploadProvider
}
