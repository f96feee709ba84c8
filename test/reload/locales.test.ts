// The file's locales change while it is served: entries stay, and stay together.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const LOCALIZED = '{ i18n: { localized: true } }'

function configWith(i18n: string, pluginOptions = LOCALIZED, title = LOCALIZED): string {
  return `plugins: { i18n: { config: ${i18n} } }
contentTypes:
  page:
    pluginOptions: ${pluginOptions}
    attributes: { title: { type: string, pluginOptions: ${title} }, pages: integer }
auth: { roles: { public: { permissions: ['page.*', plugin::i18n.locales.listLocales] } } }
`
}

let file: string
let cms: Cms
let log: string[]

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-locales-')), 'cms.yaml')
  writeFileSync(file, configWith('{ locales: [en, fr] }'))
  log = []
  cms = await createCms(file, { env: {}, log: (line) => void log.push(line) })
})
afterEach(() => cms.close())

async function edit(text: string): Promise<void> {
  writeFileSync(file, text)
  await cms.reload()
}

async function send(method: string, path: string, body?: unknown): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const response = await cms.fetch(path, init)
  return [response.status, await response.json()]
}

async function titles(query = ''): Promise<readonly unknown[]> {
  const [, body] = await send('GET', `/api/pages?sort=id${query}`)
  return (body as { data: { attributes: { title: string } }[] }).data.map(
    ({ attributes }) => attributes.title,
  )
}

const localize = (id: number, locale: string, title: string) =>
  send('POST', `/api/pages/${id}/localizations`, { locale, title })

test('a locale that is added can be written to at once, one that is removed keeps its entries', async () => {
  await send('POST', '/api/pages', { data: { title: 'one', pages: 1 } })
  expect(await localize(1, 'fr', 'un')).toMatchObject([200, { id: 2 }])
  expect(await localize(1, 'de', 'eins')).toMatchObject([400, { error: { message: 'locale is invalid' } }])
  await edit(configWith('{ locales: [en, fr, de] }'))
  expect(await localize(1, 'de', 'eins')).toMatchObject([
    200,
    { id: 3, localizations: [{ id: 1 }, { id: 2 }] },
  ])

  await edit(configWith('{ locales: [en, de] }'))
  expect(log.join('\n')).toContain(
    '1 entry of api::page.page stays in locales that the file does not list (fr)',
  )
  expect(await localize(1, 'fr', 'encore')).toMatchObject([400, { error: { message: 'locale is invalid' } }])
  expect(await titles('&locale=all')).toEqual(['one', 'un', 'eins'])
  expect(await send('GET', '/api/pages/1')).toMatchObject([
    200,
    { data: { meta: { availableLocales: ['en', 'de'] } } },
  ])
  await send('PUT', '/api/pages/1', { data: { pages: 7 } })
  expect(await send('GET', '/api/pages/2')).toMatchObject([200, { data: { attributes: { pages: 7 } } }])
})

test('another default locale', async () => {
  await send('POST', '/api/pages', { data: { title: 'one' } })
  await localize(1, 'fr', 'un')
  await edit(configWith('{ defaultLocale: fr, locales: [en, fr] }'))
  expect(await titles()).toEqual(['un'])
  const created = { data: { attributes: { locale: 'fr' } } }
  expect(await send('POST', '/api/pages', { data: { title: 'deux' } })).toMatchObject([200, created])
})

test('a type that loses its locales and gets them back loses no entry', async () => {
  await send('POST', '/api/pages', { data: { title: 'one' } })
  await localize(1, 'fr', 'un')
  await edit(configWith('{ locales: [en, fr] }', '{}'))
  expect(await titles()).toEqual(['one', 'un'])
  expect((await localize(1, 'de', 'eins'))[0]).toBe(404)
  await send('POST', '/api/pages', { data: { title: 'between' } })
  await edit(configWith('{ locales: [en, fr] }'))
  expect(await titles()).toEqual(['one', 'between'])
  const populated = await send('GET', '/api/pages/1?populate[localizations][fields]=title')
  expect(populated).toMatchObject([200, { data: { attributes: { localizations: { data: [{ id: 2 }] } } } }])
})

test('an attribute that is shared from now on is the same in all locales from the next write on', async () => {
  await send('POST', '/api/pages', { data: { title: 'one' } })
  await localize(1, 'fr', 'un')
  await edit(configWith('{ locales: [en, fr] }', LOCALIZED, '{}'))
  expect(await titles('&locale=all')).toEqual(['one', 'un'])
  await send('PUT', '/api/pages/2', { data: { title: 'both' } })
  expect(await titles('&locale=all')).toEqual(['both', 'both'])
})
