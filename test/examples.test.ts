// Every example configuration is right, starts, and answers what it promises to whom it promises it.

import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkConfig } from '../src/app/check-config.ts'
import type { Config } from '../src/config/config.ts'
import { type Cms, createCms } from '../src/index.ts'
import type { ContentType } from '../src/model/content-type.ts'
import { toLongForm } from '../src/write/seeding/data-in-long-form.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const examples = ['examples', 'examples/templates'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(root, folder, name)),
)

describe.each([join(root, 'cms.yaml'), ...examples].map((file) => [relative(root, file), file] as const))(
  '%s',
  (_name, file) => {
    let cms: Cms
    let config: Config
    let seed: Config['data']
    let types: readonly ContentType[]

    beforeAll(async () => {
      const checked = await checkConfig({ file }, { env: {} })
      expect(checked.diagnostics).toEqual([])
      if (checked.config === undefined || checked.model === undefined) throw new Error('not right')
      config = checked.config
      seed = toLongForm(config, checked.model, [], Date.now())
      types = [...checked.model.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
      cms = await createCms(file, { env: {} })
    })
    afterAll(() => cms?.close())

    test('every type that has entries answers those the public may see, and 403 else', async () => {
      expect(types.length).toBeGreaterThanOrEqual(3)
      const granted = config.auth.roles['public']?.permissions ?? []
      for (const type of types) {
        const seeded = seed[type.uid] ?? []
        // A list shows the standard locale.
        const here = seeded.filter(({ locale }) => (locale ?? type.locale?.default) === type.locale?.default)
        const published = here.filter(({ publishedAt }) => publishedAt !== null)
        const response = await cms.fetch(`/api/${routeOf(type)}?pagination[pageSize]=100`)
        const readable = granted.some(
          (permission) => typeof permission === 'string' && mayFind(permission, type),
        )
        expect([type.uid, response.status]).toEqual([type.uid, readable ? 200 : 403])
        if (!readable) continue
        const { data } = (await response.json()) as { data: unknown }
        expect([type.uid, Array.isArray(data) ? data.length : 1]).toEqual([type.uid, published.length])
      }
    })

    test('nothing private is in an answer', async () => {
      const secrets = types.flatMap((type) =>
        [...type.attributes.values()].filter((attribute) => attribute.private).map(({ name }) => name),
      )
      expect(secrets).not.toEqual([])
      for (const type of types) {
        const text = await (
          await cms.fetch(`/api/${routeOf(type)}?populate=*&publicationState=preview`)
        ).text()
        for (const secret of secrets) expect(text).not.toContain(`"${secret}"`)
      }
    })
  },
)

test('the guide is worth exploring', async () => {
  const { config } = await checkConfig({ file: join(root, 'cms.yaml') }, { env: {} })
  const entries = Object.values(config?.data ?? {}).flat()
  expect(entries.length).toBeGreaterThanOrEqual(35)
  expect(entries.filter(({ publishedAt }) => publishedAt === null).length).toBeGreaterThanOrEqual(2)
})

function routeOf({ kind, singularName, pluralName }: ContentType): string {
  return kind === 'singleType' ? singularName : pluralName
}

function mayFind(permission: string, { uid, singularName }: ContentType): boolean {
  return [`${uid}.find`, `${singularName}.find`, `${singularName}.*`].includes(permission)
}

test('the museum speaks three languages', async () => {
  await using cms = await createCms(join(root, 'examples/multilingual.yaml'), { env: {} })
  const ask = async (path: string): Promise<unknown> => (await cms.fetch(path)).json()
  const lens = { title: 'La grande lentille', topics: { data: [{ attributes: { name: 'Lumière' } }] } }
  expect(await ask('/api/exhibits?locale=fr&populate=topics')).toMatchObject({
    data: [{ attributes: lens, meta: { availableLocales: ['en', 'fr'] } }],
  })
  const every = await ask('/api/exhibits?locale=all&publicationState=preview&fields=locale&sort=id')
  expect(every).toMatchObject({
    data: ['en', 'fr', 'de', 'en'].map((locale) => ({ attributes: { locale } })),
  })
  expect(await ask('/api/welcome?locale=fr')).toMatchObject({
    data: { meta: { availableLocales: ['en', 'fr'] } },
  })
})
