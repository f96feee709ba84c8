// What a module of the user's exports -> the provider that it makes (docs/uploads.md "A provider of one's own").

import type { UploadProvider } from '../upload-provider.ts'

/** Rejects with what is wrong with the module: `reference` is how the configuration calls it. */
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
