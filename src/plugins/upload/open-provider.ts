// The name of a provider -> the provider, opened when the first file asks for it.

import { resolve } from 'node:path'
import type { MemoryFiles } from '../memory-files.ts'
import type { UploadProvider } from '../upload-provider.ts'
import { createLocalProvider } from './local-provider.ts'
import type { UploadOptions } from './options.ts'

export interface OpenedProvider {
  /** Always the same one. */
  get(): Promise<UploadProvider>
  /** What a process that broke down left behind is removed. */
  sweep(now: number): Promise<void>
}

export function openProvider(
  { provider, providerOptions, directory }: UploadOptions,
  memoryFiles: MemoryFiles,
): OpenedProvider {
  if (provider === 'memory') return fixed(memoryFiles)
  const folder = providerOptions['directory']
  const local = createLocalProvider(resolve(directory, typeof folder === 'string' ? folder : './uploads'))
  return { get: async () => local, sweep: (now) => local.sweep(now) }
}

function fixed(provider: UploadProvider): OpenedProvider {
  return { get: async () => provider, sweep: async () => {} }
}
