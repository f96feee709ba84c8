// Every provider keeps the same promises; a module of one's own is a provider like the others.

import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { createMemoryFiles } from '../../src/plugins/memory-files.ts'
import { createLocalProvider } from '../../src/plugins/upload/local-provider.ts'
import { loadModuleProvider } from '../../src/plugins/upload/open-provider.ts'
import { createS3Provider } from '../../src/plugins/upload/s3-provider.ts'
import type { ProviderFile, UploadProvider } from '../../src/plugins/upload-provider.ts'
import { openLibrary, png, post } from './open-library.ts'

let directory: string
let s3: S3rver
let endpoint: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cms-providers-'))
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(directory, 's3'),
    vhostBuckets: false,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  endpoint = `http://127.0.0.1:${(await s3.run()).port}`
  await writeFile(join(directory, 'own.mjs'), OWN)
})
afterAll(async () => {
  await s3.close()
  await rm(directory, { recursive: true, force: true })
})

/** The example of the page is the provider that is tested. */
const page = readFileSync(join(import.meta.dirname, '../../docs/reference/uploads.md'), 'utf8')
const OWN = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''

const s3Options = (): Record<string, unknown> => ({
  rootPath: 'up',
  s3Options: {
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    params: { Bucket: 'files' },
  },
})

async function ownModule(name: string): Promise<unknown> {
  return ((await import(pathToFileURL(join(directory, name)).href)) as { default: unknown }).default
}

const providers: readonly (readonly [string, () => Promise<UploadProvider>])[] = [
  ['local', async () => createLocalProvider(join(directory, 'local'))],
  ['memory', async () => createMemoryFiles()],
  ['aws-s3', () => createS3Provider(s3Options())],
  [
    'a module',
    async () => loadModuleProvider(await ownModule('own.mjs'), './own.mjs', { prefix: '/uploads/' }),
  ],
]

describe.each(providers)('%s', (_name, open) => {
  const fileOf = (key: string, bytes: Buffer): ProviderFile => ({
    key,
    mime: 'text/plain',
    active: false,
    size: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000)
    },
  })
  const read = async (provider: UploadProvider, key: string, range?: { start: number; end: number }) => {
    const file = await provider.open?.(key)
    const pieces: Uint8Array[] = []
    for await (const piece of file?.chunks(range) ?? []) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  test('keeps, hands out in ranges, replaces, removes', async () => {
    const provider = await open()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    const { url } = await provider.store(fileOf('a_0123456789.txt', bytes))
    expect(url.endsWith('a_0123456789.txt')).toBe(true)
    expect((await provider.open?.('a_0123456789.txt'))?.size).toBe(300_000)
    expect((await read(provider, 'a_0123456789.txt')).equals(bytes)).toBe(true)
    expect([...(await read(provider, 'a_0123456789.txt', { start: 250, end: 252 }))]).toEqual([250, 0, 1])
    await provider.store(fileOf('a_0123456789.txt', Buffer.from('short')))
    expect(String(await read(provider, 'a_0123456789.txt'))).toBe('short')
    await provider.remove('a_0123456789.txt')
    expect(await provider.open?.('a_0123456789.txt')).toBeUndefined()
    await provider.remove('a_0123456789.txt')
  })

  test('keeps nothing of a file that breaks off', async () => {
    const provider = await open()
    const broken: ProviderFile = {
      ...fileOf('b_0123456789.txt', Buffer.alloc(100_000)),
      async *chunks() {
        yield Buffer.alloc(50_000)
        throw new Error('broken off')
      },
    }
    await expect(provider.store(broken)).rejects.toThrow('broken off')
    expect(await provider.open?.('b_0123456789.txt')).toBeUndefined()
  })
})

test('the local folder holds no half files', async () => {
  const waiting = await readdir(join(directory, 'local', '.incoming'), {
    recursive: true,
    withFileTypes: true,
  })
  expect(waiting.filter((entry) => entry.isFile())).toEqual([])
})

test('files go to a bucket and from it, with their formats', async () => {
  const library = await openLibrary({ provider: 'aws-s3', providerOptions: s3Options() })
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 600, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { body } = await post(library.cms, '/api/upload', {
    name: 'files',
    file: { name: 'wide.png', type: 'image/png', bytes },
  })
  const [file] = body as unknown as {
    id: number
    url: string
    provider: string
    formats: Record<string, { url: string }>
  }[]
  expect(file).toMatchObject({
    provider: 'aws-s3',
    url: expect.stringContaining(`${endpoint}/files/up/wide_`),
  })
  const provider = await createS3Provider(s3Options())
  const keys = [file?.url, file?.formats['thumbnail']?.url].map((url) => String(url).split('/').at(-1) ?? '')
  for (const key of keys) expect((await provider.open?.(key))?.size).toBeGreaterThan(0)
  expect((await library.cms.fetch(`/uploads/${keys[0]}`)).status).toBe(404)
  await library.cms.fetch(`/api/upload/files/${file?.id}`, { method: 'DELETE' })
  for (const key of keys) expect(await provider.open?.(key)).toBeUndefined()
  await library.close()
})

test('a module named in the file is the provider', async () => {
  const file = join(directory, 'cms.yaml')
  const upload = (provider: string): string => `
contentTypes: { book: { attributes: { title: string } } }
plugins: { upload: { config: { provider: ${provider}, providerOptions: { prefix: /uploads/ } } } }
auth: { roles: { public: { permissions: [plugin::upload.content-api.upload] } } }
`
  await writeFile(file, upload('./own.mjs'))
  const cms = await createCms(file, { env: {} })
  const { body } = await post(cms, '/api/upload', png())
  const [made] = body as unknown as { url: string; provider: string }[]
  expect(made?.provider).toBe('own')
  expect((await cms.fetch(String(made?.url))).headers.get('content-type')).toBe('image/png')
  await cms.close()
  await writeFile(join(directory, 'none.mjs'), 'export default 5')
  await writeFile(file, upload('./none.mjs'))
  await expect(createCms(file, { env: {} })).rejects.toThrow('a provider is made by a function')
  await writeFile(file, upload('./nowhere.mjs'))
  await expect(createCms(file, { env: {} })).rejects.toThrow('there is no file "./nowhere.mjs"')
})

test('contents that cannot be replaced stay', async () => {
  const file = join(directory, 'failing.yaml')
  // The second time that a key is stored, it fails once.
  await writeFile(
    join(directory, 'failing.mjs'),
    OWN.replace(
      /async store\((.*?)\) \{/,
      (start) =>
        `${start}\n    if (files.has(key) && !globalThis.failedOnce) { globalThis.failedOnce = true; throw new Error('disk') }`,
    ),
  )
  await writeFile(
    file,
    `
contentTypes: { book: { attributes: { title: string } } }
plugins: { upload: { config: { provider: ./failing.mjs, providerOptions: { prefix: /uploads/ } } } }
auth: { roles: { public: { permissions: ['plugin::upload.content-api.*'] } } }
`,
  )
  const cms = await createCms(file, { env: {} })
  const { default: sharp } = await import('sharp')
  const wide = await sharp({ create: { width: 300, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { body } = await post(cms, '/api/upload', png())
  const [before] = body as unknown as { id: number; url: string }[]
  const bytes = await (await cms.fetch(String(before?.url))).arrayBuffer()
  const part = { name: 'files', file: { name: 'wide.png', type: 'image/png', bytes: wide } }
  expect((await post(cms, `/api/upload?id=${before?.id}`, part)).status).toBe(500)
  const after = await (await cms.fetch(`/api/upload/files/${before?.id}`)).json()
  expect(after).toMatchObject({ width: 1, url: before?.url })
  expect(Buffer.from(await (await cms.fetch(String(before?.url))).arrayBuffer())).toEqual(Buffer.from(bytes))
  expect((await post(cms, `/api/upload?id=${before?.id}`, part)).body).toMatchObject({ width: 300 })
  await cms.close()
})

test('a full disk is said, and is no fault of ours', async () => {
  const file = join(directory, 'full.yaml')
  await writeFile(
    join(directory, 'full.mjs'),
    `export default () => ({
  async store() { throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) },
  async remove() {},
})`,
  )
  await writeFile(
    file,
    `
contentTypes: { book: { attributes: { title: string } } }
plugins: { upload: { config: { provider: ./full.mjs } } }
auth: { roles: { public: { permissions: ['plugin::upload.content-api.*'] } } }
`,
  )
  const cms = await createCms(file, { env: {} })
  expect(await post(cms, '/api/upload', png())).toMatchObject({
    status: 503,
    body: { error: { message: 'There is no space to store the file' } },
  })
  expect(await (await cms.fetch('/api/upload/files')).json()).toEqual([])
  await cms.close()
})

test.each([
  ['export default 5', 'must export a function'],
  ['export default () => ({ store() {} })', 'has no function "remove"'],
])('a module that makes none: %s', async (code, message) => {
  await writeFile(join(directory, `${code.length}.mjs`), code)
  const made = loadModuleProvider(await ownModule(`${code.length}.mjs`), './own.mjs', {})
  await expect(made).rejects.toThrow(message)
})
