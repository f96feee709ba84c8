// `cms.entries(…).delete` in one locale and in all of them.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const title = { type: 'string', pluginOptions: { i18n: { localized: true } } }
const config = {
  dialect: 'strapi-5',
  plugins: { i18n: { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } } },
  contentTypes: {
    page: { drafts: true, localized: true, attributes: { title } },
    leaf: { localized: true, attributes: { title } },
    note: { attributes: { title: 'string' } },
  },
}

test.each(['page', 'leaf', 'note'])(
  '%s: a whole document is deleted, and answered as it was',
  async (type) => {
    const cms = await createCms(config as never, { env: {} })
    const entries = cms.entries(type)
    const inLocale = (locale: string) => (type === 'note' ? {} : { locale })
    const make = async (...locales: string[]) => {
      const [first = 'en', ...others] = locales
      const { documentId } = await entries.create({ title: first }, inLocale(first))
      for (const locale of others) await entries.update(String(documentId), { title: locale }, { locale })
      return String(documentId)
    }
    const kept = await make('en')
    const everywhere = type === 'note' ? ['en'] : ['fr', 'en', 'de']
    const one = await make(...everywhere)
    expect(await entries.delete(one, { locale: '*' })).toMatchObject({ documentId: one, title: 'en' })
    await expect(entries.delete(one, { locale: '*' })).rejects.toThrow('Not Found')
    // By the number of a row as well, and where the default locale is not among them.
    const two = await make(...(type === 'note' ? ['en'] : ['fr', 'de']))
    const [row] = await entries.findMany({ filters: { documentId: two }, locale: '*' })
    expect(await entries.delete(Number(row?.id), { locale: '*' })).toMatchObject({ documentId: two })
    for (const status of ['draft', 'published'] as const)
      expect(await entries.findMany({ status, locale: '*' })).toMatchObject([{ documentId: kept }])
    await cms.close()
  },
)

test('one locale goes, the others stay', async () => {
  const cms = await createCms(config as never, { env: {} })
  const pages = cms.entries('page')
  const { documentId } = await pages.create({ title: 'en' })
  await pages.update(String(documentId), { title: 'fr' }, { locale: 'fr' })
  expect(await pages.delete(String(documentId))).toMatchObject({ title: 'en' })
  expect(await pages.findMany({ locale: '*' })).toMatchObject([{ title: 'fr' }])
  await cms.close()
})
