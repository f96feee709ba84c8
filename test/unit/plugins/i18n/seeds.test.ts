// Seeds in several locales: who names whom does not matter, two of one locale do.

import { expect, test } from 'vitest'
import { createCms } from '../../../../src/index.ts'

const localized = { i18n: { localized: true } }

function configWith(data: unknown, i18n: unknown = { config: { locales: ['en', 'fr', 'de'] } }) {
  return {
    plugins: { i18n },
    contentTypes: {
      page: { pluginOptions: localized, attributes: { title: 'string' } },
      home: { kind: 'singleType', pluginOptions: localized, attributes: { title: 'string' } },
    },
    data,
  }
}

async function siblings(data: unknown, type: string): Promise<Record<number, readonly number[]>> {
  await using cms = await createCms(configWith(data), { env: {} })
  const entries = await cms.entries(type).findMany({ populate: 'localizations' })
  return Object.fromEntries(
    entries.map(({ id, localizations }) => [id, (localizations as { id: number }[]).map((one) => one.id)]),
  )
}

test.each([
  ['named by one', [{ localizations: [2] }, { locale: 'fr' }], { 1: [2], 2: [1] }],
  [
    'named in a row',
    [{ localizations: [2] }, { locale: 'fr', localizations: [3] }, { locale: 'de' }],
    { 1: [2, 3], 2: [3, 1], 3: [1, 2] },
  ],
  [
    'named by reference, in an order of their own',
    [
      { $ref: 'a', localizations: ['$c', '$b'] },
      { $ref: 'b', locale: 'fr' },
      { $ref: 'c', locale: 'de' },
    ],
    { 1: [3, 2], 2: [1, 3], 3: [1, 2] },
  ],
  ['not named', [{}, { locale: 'fr' }], { 1: [], 2: [] }],
])('entries %s', async (_name, page, expected) => {
  expect(await siblings({ page }, 'page')).toEqual(expected)
})

test('entries of a single type belong together without saying so', async () => {
  const home = [{}, { locale: 'fr' }, { locale: 'de' }]
  expect(await siblings({ home }, 'home')).toEqual({ 1: [2, 3], 2: [1, 3], 3: [1, 2] })
})

test('two of one locale are not the same content', async () => {
  const page = [
    { id: 4, localizations: [5] },
    { id: 5, locale: 'fr' },
    { id: 6, localizations: [5] },
  ]
  await expect(createCms(configWith({ page }), { env: {} })).rejects.toThrow(
    'this entry cannot be stored: another of its localizations is in the locale "en", too',
  )
})

test('where the file lists no locales, any code is one', async () => {
  await using cms = await createCms(configWith({}, true), { env: {} })
  const pages = cms.entries('page')
  expect(await pages.create({ locale: 'pt-BR' })).toMatchObject({ locale: 'pt-BR' })
  for (const locale of ['', 'all', 'x', 'en us', '../en', `en-${'a'.repeat(40)}`])
    await expect(pages.create({ locale })).rejects.toThrow("This locale doesn't exist")
})
