// A library with media everywhere: single, multiple, required, in components and zones; files in a folder of its own.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Cms, createCms } from '../../src/index.ts'

type Json = Record<string, unknown>

export interface Library {
  readonly cms: Cms
  readonly directory: string
  /** Names of all that is stored, what waits included. */
  stored(): Promise<string[]>
  close(): Promise<void>
}

export async function openLibrary(
  upload: Json = {},
  more: {
    readonly server?: Json
    readonly data?: Json
    readonly graphql?: boolean
    readonly dialect?: string
    readonly options?: Parameters<typeof createCms>[1]
  } = {},
): Promise<Library> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-upload-'))
  const config = {
    dialect: more.dialect ?? 'strapi-4',
    server: { ...more.server },
    contentTypes: {
      book: {
        attributes: {
          title: { type: 'string', required: true },
          code: { type: 'string', unique: true },
          cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
          pages: { type: 'media', multiple: true },
          seo: { type: 'component', component: 'shared.seo' },
          parts: { type: 'dynamiczone', components: ['shared.part'] },
        },
      },
      shelf: { attributes: { label: 'string' } },
    },
    components: {
      'shared.seo': { attributes: { text: 'string', image: { type: 'media', multiple: false } } },
      'shared.part': { attributes: { text: 'string', scans: { type: 'media', multiple: true } } },
    },
    plugins: {
      graphql: more.graphql === true,
      upload: {
        config: {
          provider: 'local',
          providerOptions: { directory: join(directory, 'files') },
          ...upload,
        },
      },
    },
    auth: {
      roles: { public: { permissions: ['api::*.*.*', 'plugin::upload.content-api.*'] } },
      apiTokens: [
        {
          name: 'uploader',
          type: 'custom',
          token: UPLOADER,
          permissions: ['plugin::upload.content-api.upload', 'book.create'],
        },
      ],
    },
    data: more.data ?? {},
  }
  const cms = await createCms(config, { env: {}, ...more.options })
  return {
    cms,
    directory: join(directory, 'files'),
    async stored() {
      const found = await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      return found
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(join(directory, 'files'), join(parentPath, name)))
        .sort()
    },
    async close() {
      await cms.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export const UPLOADER = 'u'.repeat(40)

/** One red pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export interface Part {
  readonly name: string
  readonly value?: string
  readonly file?: { readonly name: string; readonly type?: string; readonly bytes: Uint8Array | string }
}

export function form(...parts: readonly Part[]): FormData {
  const data = new FormData()
  for (const { name, value, file } of parts) {
    if (file === undefined) data.append(name, value ?? '')
    else {
      const bytes = typeof file.bytes === 'string' ? file.bytes : new Uint8Array(file.bytes)
      data.append(name, new File([bytes], file.name, { type: file.type ?? 'text/plain' }))
    }
  }
  return data
}

export const png = (name = 'a.png'): Part => ({
  name: 'files',
  file: { name, type: 'image/png', bytes: PNG },
})
export const text = (name = 'a.txt', bytes = 'hello'): Part => ({ name: 'files', file: { name, bytes } })

export async function post(
  cms: Cms,
  path: string,
  ...parts: readonly Part[]
): Promise<{ status: number; body: Json }> {
  return answerOf(await cms.fetch(path, { method: 'POST', body: form(...parts) }))
}

export async function answerOf(response: Response): Promise<{ status: number; body: Json }> {
  return { status: response.status, body: (await response.json()) as Json }
}
