// `strapi.documents()` in users' code: what Strapi 5's Document Service does, by its words.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const CONFIG = {
  dialect: 'strapi-5',
  plugins: { i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  contentTypes: {
    page: {
      drafts: true,
      ...localized,
      attributes: { title: { type: 'string', required: true, ...localized } },
    },
    tag: { attributes: { name: 'string' } },
  },
  public: ['page.*', 'tag.*'],
}

let cms: Cms | undefined
let folder: string | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
  if (folder !== undefined) await rm(folder, { recursive: true })
  folder = undefined
})

/** What the function body returns, run by a policy for a request. */
async function run(body: string, more: object = {}): Promise<unknown> {
  folder = await mkdtemp(join(tmpdir(), 'cms-documents-'))
  const { contentTypes } = CONFIG
  const tag = { ...contentTypes.tag, rest: { config: { find: { policies: ['./run.js'] } } } }
  const config = { ...CONFIG, contentTypes: { ...contentTypes, tag }, ...more }
  await writeFile(join(folder, 'cms.yaml'), JSON.stringify(config))
  await writeFile(
    join(folder, 'run.js'),
    `const caught = async (call) => { try { return await call() } catch (error) { return error.message } }
    module.exports = async (context, config, { strapi, cms }) => {
      const answer = await caught(async () => { ${body} })
      throw new cms.errors.PolicyError(JSON.stringify(answer))
    }`,
  )
  cms = await createCms(join(folder, 'cms.yaml'), { env: {} })
  const answer = (await (await cms.fetch('/api/tags')).json()) as { error: { message: string } }
  return JSON.parse(answer.error.message)
}

async function titles(query: string): Promise<unknown> {
  const answer = await cms?.fetch(`/api/pages?sort=title&${query}`)
  const body = (await answer?.json()) as { readonly data: readonly { readonly title: string }[] }
  return body.data.map(({ title }) => title)
}

test('drafts in the default locale are written and read, unless something else is said', async () => {
  const seen = await run(`
    const pages = strapi.documents('api::page.page')
    const { documentId } = await pages.create({ data: { title: 'Draft' } })
    await pages.update({ documentId, locale: 'fr', data: { title: 'Brouillon' } })
    const out = await pages.create({ data: { title: 'Out' }, status: 'published' })
    await pages.update({ documentId: out.documentId, data: { title: 'Out, changed' } })
    const shown = (entries) => entries.map(({ title, locale }) => title + ' ' + locale)
    return {
      all: shown(await pages.findMany({ sort: 'title' })),
      everywhere: shown(await pages.findMany({ sort: 'title', locale: '*' })),
      published: shown(await pages.findMany({ status: 'published' })),
      first: (await pages.findFirst({ sort: 'title:desc', fields: 'title' })).title,
      none: await pages.findFirst({ filters: { title: 'none' } }),
      one: (await pages.findOne({ documentId })).title,
      french: (await pages.findOne({ documentId, locale: 'fr' })).title,
      unpublished: await pages.findOne({ documentId, status: 'published' }),
      counts: [await pages.count(), await pages.count({ locale: '*' }), await pages.count({ status: 'published' })],
      unknown: await pages.update({ documentId: 'unknown', data: { title: 'x' } }),
    }`)
  expect(seen).toEqual({
    all: ['Draft en', 'Out, changed en'],
    everywhere: ['Brouillon fr', 'Draft en', 'Out, changed en'],
    published: ['Out en'],
    first: 'Out, changed',
    none: null,
    one: 'Draft',
    french: 'Brouillon',
    unpublished: null,
    counts: [2, 3, 1],
    unknown: null,
  })
  expect(await titles('status=draft')).toEqual(['Draft', 'Out, changed'])
  expect(await titles('')).toEqual(['Out'])
})

test('versions are published, unpublished, discarded and deleted in one locale or in all', async () => {
  const seen = await run(`
    const pages = strapi.documents('api::page.page')
    const { documentId } = await pages.create({ data: { title: 'One' } })
    await pages.update({ documentId, locale: 'fr', data: { title: 'Un' } })
    const shown = ({ documentId: id, entries }) =>
      [id === documentId, ...entries.map(({ title, publishedAt }) => title + (publishedAt === null ? ' draft' : ''))]
    const steps = [await pages.publish({ documentId }), await pages.publish({ documentId, locale: '*' })]
    await pages.update({ documentId, data: { title: 'Two' } })
    steps.push(await pages.discardDraft({ documentId }), await pages.unpublish({ documentId, locale: ['fr'] }))
    steps.push(await pages.unpublish({ documentId, locale: 'fr' }))
    const left = await pages.count({ locale: '*', status: 'published' })
    steps.push(await pages.delete({ documentId }), await pages.delete({ documentId, locale: '*' }))
    return [...steps.map(shown), left, await pages.count({ locale: '*' })]`)
  expect(seen).toEqual([
    [true, 'One'],
    [true, 'One', 'Un'],
    [true, 'One draft'],
    [true, 'Un'],
    [true],
    [true, 'One draft', 'One'],
    [true, 'Un draft'],
    1,
    0,
  ])
})

test('what cannot be done says why', async () => {
  const seen = await run(`
    const pages = strapi.documents('api::page.page')
    const tags = strapi.documents('api::tag.tag')
    const { documentId } = await pages.create({ data: {} })
    const messages = []
    for (const call of [
      () => pages.publish({ documentId }),
      () => pages.update({ data: {} }),
      () => pages.findMany({ status: 'live' }),
      () => pages.archive(),
    ]) messages.push(await caught(call))
    return messages`)
  expect(seen).toEqual([
    expect.stringContaining('title'),
    expect.stringContaining('update needs "documentId"'),
    expect.stringContaining('status is draft or published, not "live"'),
    expect.stringContaining("strapi.documents('api::page.page').archive is not there"),
  ])
})

test('what says nothing about a call is ignored, and what Strapi does not have is not there', async () => {
  const seen = await run(`
    const pages = strapi.documents('api::page.page')
    const tags = strapi.documents('api::tag.tag')
    const { documentId } = await pages.create({ data: { title: 'One' } })
    const tag = await tags.create({ data: { name: 'a' } })
    return {
      actions: ['publish', 'unpublish', 'discardDraft'].map((name) => [typeof pages[name], typeof tags[name]]),
      tag: [tag.locale, (await tags.findFirst()).locale, 'locale' in (await tags.findFirst({ fields: ['name'] }))],
      everywhere: await caught(() => pages.findOne({ documentId, locale: '*' })),
      tags: (await tags.findOne({ documentId: tag.documentId, locale: '*', sort: 'name' })).name,
      count: await pages.count({ populate: '*', fields: ['title'], sort: 'title', limit: 0, start: 9 }),
      gone: (await pages.delete({ documentId, status: 'draft' })).entries.length,
      filtered: await caught(() => pages.delete({ documentId, filters: {} })),
    }`)
  expect(seen).toEqual({
    actions: [
      ['function', 'undefined'],
      ['function', 'undefined'],
      ['function', 'undefined'],
    ],
    tag: [null, null, false],
    everywhere: 'strapi.documents(…).findOne needs one locale, and "*" is all of them',
    tags: 'a',
    count: 1,
    gone: 1,
    filtered: expect.stringContaining('delete takes no "filters"'),
  })
})

test('files of strapi-4 have no documents, and are told so', async () => {
  const seen = await run(`return await strapi.documents('api::tag.tag').findMany()`, { dialect: 'strapi-4' })
  expect(seen).toMatch(/is there with "dialect: strapi-5"; use strapi.entityService/)
})
