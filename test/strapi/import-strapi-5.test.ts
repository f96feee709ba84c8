// An export of Strapi 5 -> a configuration, and its documents with their versions, locales and links.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { databaseSection, lastingClients } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { ids, writeExport5 } from './strapi-5-fixtures.ts'
import { writeProject } from './strapi-fixtures.ts'

const everything = {
  author: { populate: ['favourite', 'articles'] },
  tags: true,
  next: true,
  cover: true,
  localizations: true,
  seo: { populate: '*' },
  zone: { populate: '*' },
} as const

function articles(cms: Cms, status: 'draft' | 'published', locale: string): Promise<unknown> {
  return cms.entries('article').findMany({ status, locale, populate: everything, sort: 'id' } as never)
}

const body = (id: number) => [{ type: 'paragraph', children: [{ type: 'text', text: `of ${id}` }] }]

test.each(lastingClients)(
  'into %s: documents with both versions, locales, components and links',
  async (client) => {
    const cwd = newFolder()
    const project = writeProject(join(cwd, 'project'), '5.10.0')
    const archive = await writeExport5(join(cwd, 'export.tar'))
    const file = join(cwd, 'cms.yaml')
    if (client !== 'sqlite') {
      const elsewhere = newFolder()
      await runCommand(
        ['import', '--strapi', archive, '--project', project, '--into', join(elsewhere, 'cms.yaml')],
        {
          cwd: elsewhere,
        },
      )
      const text = readFileSync(join(elsewhere, 'cms.yaml'), 'utf8')
      writeFileSync(file, text.replace(/^database:\n( .*\n)+/m, await databaseSection(client)))
    }
    const { code, out, err } = await runCommand(
      ['import', '--strapi', archive, '--project', project, '--into', file, '--json'],
      {
        cwd,
      },
    )
    expect(code, err).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('dialect: strapi-5')
    expect(JSON.parse(out)).toMatchObject({
      entries: { 'api::article.article': 5, 'api::tag.tag': 3, 'api::author.author': 1, 'api::home.home': 2 },
      links: 15,
      files: 1,
      leftOut: { 'plugin::content-releases.release': 1 },
      danglingLinks: 0,
      madeDrafts: 0,
    })
    const cms = await createCms(file, { env: {} })

    expect(await articles(cms, 'draft', 'en')).toMatchObject([
      {
        id: 10,
        documentId: ids.article,
        title: 'Changed',
        slug: 'one',
        views: 7,
        body: body(10),
        createdAt: '2025-01-02T03:04:05.678Z',
        updatedAt: '2025-02-02T00:00:00.000Z',
        publishedAt: null,
        author: {
          documentId: ids.ann,
          articles: [{ id: 10 }, { id: 11 }],
          favourite: { documentId: ids.red, publishedAt: null },
        },
        tags: [{ documentId: ids.blue }, { documentId: ids.red }],
        next: null,
        cover: { documentId: ids.file, url: '/uploads/red_1a2b.png' },
        localizations: [{ id: 11, locale: 'fr', title: 'Un' }],
        seo: { metaTitle: 'Meta of the draft', image: null },
        zone: [
          { __component: 'page.quote', text: 'q', tag: { documentId: ids.red }, seo: { metaTitle: 'Inner' } },
          { __component: 'shared.seo', metaTitle: 'Z' },
        ],
      },
      { id: 12, documentId: ids.other, title: 'Two', tags: [], next: { id: 10 }, localizations: [] },
    ])
    expect(await articles(cms, 'published', 'en')).toMatchObject([
      {
        id: 14,
        documentId: ids.article,
        title: 'One',
        body: body(14),
        publishedAt: '2025-02-02T00:00:00.000Z',
        author: { articles: [{ id: 14 }, { id: 15 }], favourite: { documentId: ids.red, id: 3 } },
        tags: [{ documentId: ids.red, id: 3 }],
        cover: { documentId: ids.file },
        localizations: [{ id: 15, locale: 'fr' }],
        seo: { metaTitle: 'Meta', image: { documentId: ids.file } },
        zone: [{ __component: 'page.quote', tag: { id: 3 }, seo: { metaTitle: 'Inner' } }],
      },
    ])
    expect(await articles(cms, 'draft', 'fr')).toMatchObject([{ id: 11, title: 'Un', publishedAt: null }])
    expect(await articles(cms, 'published', 'fr')).toMatchObject([{ id: 15, title: 'Un', body: body(15) }])
    expect(await cms.entries('home').findMany({ status: 'published' } as never)).toMatchObject([
      { documentId: ids.home, title: 'Welcome', locale: 'en' },
    ])

    // The role of the project may read what is published, as before, and publishing goes on from the draft.
    const shown = await cms.fetch('/api/articles?fields=title&populate[seo]=true')
    expect(await shown.json()).toMatchObject({ data: [{ title: 'One', seo: { metaTitle: 'Meta' } }] })
    expect((await cms.fetch('/api/tags')).status).toBe(403)
    await cms.entries('article').publish(ids.article)
    expect(await articles(cms, 'published', 'en')).toMatchObject([
      { title: 'Changed', tags: [{ documentId: ids.red }], seo: { metaTitle: 'Meta of the draft' } },
    ])
    await cms.close()
  },
)

const ARTICLE = 'api::article.article'
const times = { createdAt: '2025-01-02T03:04:05.678Z', updatedAt: '2025-01-02T03:04:05.678Z' }

test('entries that lack what Strapi 5 usually has are taken with it', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  const archive = await writeExport5(join(cwd, 'export.tar.gz'), {
    entities: [
      { type: 'plugin::i18n.locale', id: 1, data: { name: 'English (en)', code: 'en' } },
      // A published version without a draft, and an entry from before documents and locales.
      {
        type: ARTICLE,
        id: 7,
        data: {
          documentId: ids.article,
          title: 'Alone',
          locale: 'en',
          publishedAt: times.createdAt,
          ...times,
          seo: { id: 1, metaTitle: 'Meta' },
        },
      },
      {
        type: ARTICLE,
        id: 8,
        data: { documentId: null, title: 'Old', locale: null, publishedAt: null, ...times },
      },
      {
        type: 'api::tag.tag',
        id: 4,
        data: { documentId: ids.red, name: 'red', publishedAt: times.createdAt, ...times },
      },
      {
        type: 'api::author.author',
        id: 5,
        data: { documentId: ids.ann, name: 'Ann', publishedAt: times.createdAt, ...times },
      },
    ],
    links: [
      {
        kind: 'relation.basic',
        relation: 'manyToMany',
        left: { type: ARTICLE, ref: 7, field: 'tags', pos: 1 },
        right: { type: 'api::tag.tag', ref: 4, field: 'articles', pos: 1 },
      },
      {
        kind: 'relation.basic',
        relation: 'oneToOne',
        left: { type: 'api::author.author', ref: 5, field: 'favourite' },
        right: { type: 'api::tag.tag', ref: 4 },
      },
    ],
    files: {},
  })
  const { code, out, err } = await runCommand(['import', '--strapi', archive, '--into', file, '--json'], {
    cwd,
  })
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ madeDrafts: 2, links: 2 })
  expect(out).toContain('2 published versions had no draft: each got one that is equal to it')
  const cms = await createCms(file, { env: {} })
  const [alone, old] = (await articles(cms, 'draft', 'en')) as { documentId: string }[]
  expect(alone).toMatchObject({ title: 'Old' })
  expect(alone?.documentId).toMatch(/^[a-z][a-z0-9]{23}$/)
  expect(old).toMatchObject({
    documentId: ids.article,
    title: 'Alone',
    ...times,
    publishedAt: null,
    seo: { metaTitle: 'Meta' },
    tags: [{ documentId: ids.red, publishedAt: null }],
  })
  expect(await articles(cms, 'published', 'en')).toMatchObject([
    { id: 7, tags: [{ id: 4 }], seo: { metaTitle: 'Meta' } },
  ])
  const favourite = { populate: 'favourite' } as const
  expect(await cms.entries('author').findMany(favourite)).toMatchObject([
    { favourite: { documentId: ids.red, publishedAt: null } },
  ])
  expect(await cms.entries('author').findMany({ ...favourite, status: 'published' } as never)).toMatchObject([
    { favourite: { id: 4 } },
  ])
  await cms.close()
})

test('the folder of a project makes a file of the dialect, and content of Strapi 4 is refused for it', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  const project = writeProject(join(cwd, 'project'), '^5.54.0')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(code, err).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('dialect: strapi-5')
  writeFileSync(file, text.replace('dialect: strapi-5', 'dialect: strapi-4'))
  const archive = await writeExport5(join(cwd, 'export.tar'))
  expect(await runCommand(['import', '--strapi', archive, '--into', file], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('the archive is of strapi-5'),
  })
  const encrypted = join(cwd, 'export.tar.enc')
  writeFileSync(encrypted, 'x'.repeat(2000))
  expect(await runCommand(['import', '--strapi', encrypted, '--into', file], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('it is encrypted: make it again with strapi export --no-encrypt'),
  })
})
