// An archive of documents, loaded again: both versions in each locale, with components and links.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { databaseSection, lastingClients } from './databases-here.ts'
import { newFolder } from './in-file.ts'

const content = `dialect: strapi-5
plugins: { i18n: { config: { locales: [en, fr], defaultLocale: en } } }
components:
  page.quote: { attributes: { text: string, tag: tag } }
contentTypes:
  tag: { drafts: true, attributes: { name: string } }
  page:
    drafts: true
    localized: true
    attributes:
      title: { type: string, localized: true }
      views: integer
      tags: [tag]
      quotes: { type: component, component: page.quote, repeatable: true, localized: true }
  note: { tag: tag, text: string }
`

async function everything(cms: Cms): Promise<unknown> {
  const all: unknown[] = []
  for (const status of ['draft', 'published']) {
    const query = { status, locale: '*', sort: 'id' }
    const populate = { tags: true, localizations: true, quotes: { populate: '*' } }
    all.push(await cms.entries('page').findMany({ ...query, populate } as never))
    all.push(await cms.entries('tag').findMany(query as never))
    all.push(await cms.entries('note').findMany({ status, sort: 'id', populate: 'tag' } as never))
  }
  return all
}

test.each(lastingClients)('from %s into a file', async (client) => {
  const from = newFolder()
  const file = join(from, 'cms.yaml')
  const section =
    client === 'sqlite' ? 'database: { client: sqlite, filename: cms.db }\n' : await databaseSection(client)
  writeFileSync(file, `${section}${content}`)
  let before: unknown
  {
    await using cms = await createCms(file, { env: {} })
    const tags = cms.entries('tag')
    const red = String((await tags.create({ name: 'red' }))['documentId'])
    const blue = String((await tags.create({ name: 'blue' }, { status: 'draft' }))['documentId'])
    const pages = cms.entries('page')
    const quotes = [
      { text: 'q', tag: red },
      { text: 'r', tag: blue },
    ]
    const { documentId } = await pages.create({ title: 'One', views: 1, tags: [blue, red], quotes })
    await pages.update(
      String(documentId),
      { title: 'Un', quotes: [{ text: 'fr', tag: red }] },
      { locale: 'fr' },
    )
    await pages.update(
      String(documentId),
      { title: 'Changed', quotes: [{ text: 'draft' }] },
      { status: 'draft' },
    )
    await pages.create({ title: 'Two' }, { status: 'draft' })
    await cms.entries('note').create({ text: 'n', tag: red })
    before = await everything(cms)
  }
  const archive = join(from, 'all.tar.gz')
  expect(await runCommand(['export', file, '--to', archive], { cwd: from })).toMatchObject({ code: 0 })
  const to = newFolder()
  const other = join(to, 'cms.yaml')
  writeFileSync(other, `database: { client: sqlite, filename: other.db }\n${content}`)
  const loaded = await runCommand(['import', archive, '--into', other], { cwd: to })
  expect(loaded.code, loaded.err).toBe(0)
  await using cms = await createCms(other, { env: {} })
  expect(await everything(cms)).toEqual(before)
  // And it goes on from there.
  const [page] = await cms.entries('page').findMany({ locale: 'en', filters: { title: 'Changed' } })
  const published = await cms.entries('page').publish(String(page?.['documentId']), { populate: 'quotes' })
  expect(published).toMatchObject({ title: 'Changed', quotes: [{ text: 'draft' }] })
})
