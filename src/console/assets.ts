// Serves the files of the pages: prebuilt in a package, bundled on first use in a checkout.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { CONSOLE_HEADERS, type Entrance } from './page.ts'

export interface Assets {
  readonly entrance: Entrance
  reply(name: string, request: HttpRequest): Promise<Reply | undefined>
}

const compressed = promisify(gzip)

/** Every name holds a hash of the content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }

interface Manifest extends Entrance {
  readonly files: readonly string[]
}

export async function openAssets(): Promise<Assets> {
  const folder = fileURLToPath(new URL('./console/', import.meta.url))
  const built = existsSync(join(folder, 'console.json'))
  return built ? builtAssets(folder) : bundledAssets()
}

async function builtAssets(folder: string): Promise<Assets> {
  const manifest = JSON.parse(await readFile(join(folder, 'console.json'), 'utf8')) as Manifest
  const names = new Set(manifest.files)
  return getAssets(manifest, async (name) =>
    names.has(name) ? readFile(join(folder, `${name}.gz`)) : undefined,
  )
}

async function bundledAssets(): Promise<Assets> {
  const { bundlePages } = await import('./bundle-pages.ts')
  const { entrance, files } = await bundlePages()
  return getAssets(entrance, async (name) => {
    const content = files.get(name)
    return content && compressed(content)
  })
}

function getAssets(entrance: Entrance, zipped: (name: string) => Promise<Uint8Array | undefined>): Assets {
  return {
    entrance,
    async reply(name, request) {
      const body = await zipped(name)
      if (body === undefined) return undefined
      const accepts = /\bgzip\b/.test(request.header('accept-encoding') ?? '')
      return {
        status: 200,
        contentType: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
        headers: { ...CONSOLE_HEADERS, ...FOR_EVER, ...(accepts ? { 'content-encoding': 'gzip' } : {}) },
        body: accepts ? body : await plain(body),
      }
    },
  }
}

async function plain(body: Uint8Array): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib')
  return promisify(gunzip)(body)
}
