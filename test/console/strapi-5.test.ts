// The pages with `dialect: strapi-5`: documents by documentId, with a draft and a published version in each locale.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Cms, createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const config = {
  dialect: 'strapi-5',
  console: true,
  plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  contentTypes: {
    note: {
      drafts: true,
      localized: true,
      attributes: {
        text: 'string',
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        readers: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
        about: { type: 'relation', relation: 'morphToMany' },
      },
    },
    author: { attributes: { name: 'string' } },
    settings: { kind: 'singleType', drafts: true, attributes: { title: 'string' } },
  },
  data: {
    note: [{ id: 1, text: 'one' }],
    author: [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
    ],
  },
}

describe.skipIf(withoutChromium('the console with the dialect of Strapi 5'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    opened = await startConsole(config)
    ;({ cms, page } = opened)
  })
  afterAll(() => opened?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  async function link(name: string, label: string): Promise<void> {
    await opened.field(name).fill(label)
    await page.getByRole('option', { name: label, exact: true }).click()
  }

  test('a draft is edited, published, and shown so in the grid', async () => {
    await opened.open('data/note')
    const row = page.locator('tbody tr')
    await row.getByText('Published').waitFor()
    await row.getByRole('link', { name: 'one' }).click()
    await opened.field('text').fill('changed')
    await link('author', 'Ann')
    await link('readers', 'Ann')
    await link('readers', 'Bob')
    await page.getByLabel('Content-type for About').selectOption('api::author.author')
    await link('about', 'Bob')
    await button('Save draft').click()
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
    await button('Unpublish').click()
    await button('Publish').waitFor()
    await opened.open('data/note')
    await row.getByText('Draft').waitFor()
    await row.getByRole('link', { name: 'changed' }).click()
    await page.getByRole('button', { name: 'Remove Ann' }).last().click()
    await button('Publish').click()
    await button('Unpublish').waitFor()
    const [note] = await cms.entries('note').findMany({ populate: '*', publicationState: 'live' })
    expect(note).toMatchObject({
      text: 'changed',
      author: { name: 'Ann' },
      readers: [{ name: 'Bob' }],
      about: [{ __type: 'api::author.author', name: 'Bob' }],
    })
  })

  test('another locale of the document is made, and deleted alone', async () => {
    await page.getByRole('link', { name: 'add fr' }).click()
    await button('Create a draft').waitFor()
    await opened.field('text').fill('en français')
    await button('Create a draft').click()
    await page.getByRole('link', { name: 'en', exact: true }).waitFor()
    expect(await opened.field('text').inputValue()).toBe('en français')
    await page.getByText('More actions').click()
    await button('Delete').click()
    await button('Close the message').click()
    await page.getByText('1 entry').waitFor()
    expect(await page.innerText('tbody')).toContain('changed')
  })

  test('entries are made, and deleted together', async () => {
    await page.getByRole('link', { name: 'New entry' }).click()
    await opened.field('text').fill('two')
    await button('Create and publish').click()
    await page.waitForURL(/data\/note\/[a-z0-9]{24}/)
    await button('Unpublish').waitFor()
    await opened.open('data/note')
    await page.getByText('2 entries').waitFor()
    await page.getByLabel('Choose all of this page').check()
    await button('Unpublish').click()
    await page.getByText('2 entries unpublished.').waitFor()
    await expect.poll(() => page.getByText('Draft', { exact: true }).count()).toBe(2)
    await page.getByLabel('Choose all of this page').check()
    await button('Delete').click()
    await button('Delete 2 entries').click()
    await page.getByText('0 entries').waitFor()
    expect(await cms.entries('note').count()).toBe(0)
  })

  test('a single type is made and published', async () => {
    await opened.open('data/settings')
    await opened.field('title').fill('Ours')
    await button('Create a draft').click()
    await button('Publish').click()
    await button('Unpublish').waitFor()
  })

  test('nothing went wrong', () => {
    expect(opened.complaints).toEqual([])
  })

  test('data: for the file makes the same documents in another instance', async () => {
    const notes = cms.entries('note')
    const { documentId } = await notes.create({ text: 'kept', author: 1 })
    await notes.update(String(documentId), { text: 'gardé', author: 2 }, { locale: 'fr' })
    await notes.create({ text: 'not out' }, { status: 'draft' })
    const read = async (of: Cms): Promise<unknown> =>
      (
        await Promise.all(
          (['draft', 'published'] as const).map((status) =>
            of.entries('note').findMany({ status, locale: '*', populate: 'author', sort: 'text' }),
          ),
        )
      ).map((list) =>
        list.map(({ documentId, text, locale, author, publishedAt }) => ({
          ...{ documentId, text, locale, author: (author as { name?: string } | null)?.name },
          isPublished: publishedAt !== null,
        })),
      )
    await opened.open('data/note')
    await page.getByRole('combobox', { name: 'Locale' }).selectOption('all')
    await page.getByRole('cell', { name: 'gardé' }).first().waitFor()
    await page.getByText('Export', { exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 0 }),
      page.getByRole('button', { name: 'data: for the file' }).click(),
    ])
    const { data } = parse(readFileSync(await download.path(), 'utf8')) as { data: object }
    const again = await createCms({ ...config, data: { author: config.data.author, ...data } }, { env: {} })
    try {
      expect(await read(again)).toEqual(await read(cms))
    } finally {
      await again.close()
    }
  })
})
