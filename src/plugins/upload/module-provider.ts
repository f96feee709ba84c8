// The path of a module -> the provider that it makes (docs/uploads.md "A provider of one's own").

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UploadProvider } from '../upload-provider.ts'

type Options = Readonly<Record<string, unknown>>

/** `reference`: `./store.mjs` or `./store.mjs#createStore`. Rejects with what is wrong with the module. */
export async function createModuleProvider(
  reference: string,
  directory: string,
  options: Options,
): Promise<UploadProvider> {
  const [path = '', name = 'default'] = reference.split('#', 2)
  const exported = (await import(pathToFileURL(resolve(directory, path)).href)) as Options
  return madeBy(exported[name], reference, options)
}

/** What a module exports -> its provider. */
export async function madeBy(create: unknown, reference: string, options: Options): Promise<UploadProvider> {
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
