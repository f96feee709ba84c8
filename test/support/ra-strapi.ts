// The data provider of ra-strapi, bundled as an application would; react-admin is its core here.

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export interface RaStrapi<Provider> {
  readonly provider: Provider
  close(): Promise<void>
}

export async function openRaStrapi<Provider>(baseURL: string): Promise<RaStrapi<Provider>> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-ra-'))
  const entry = join(directory, 'entry.js')
  await writeFile(entry, `export { strapiDataProvider } from 'ra-strapi'`)
  await symlink(join(import.meta.dirname, '../../node_modules'), join(directory, 'node_modules'))
  const outfile = join(directory, 'bundle.cjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const { strapiDataProvider } = (await import(pathToFileURL(outfile).href)) as {
    strapiDataProvider(options: { baseURL: string }): Provider
  }
  return {
    provider: strapiDataProvider({ baseURL }),
    close: () => rm(directory, { recursive: true, force: true }),
  }
}
