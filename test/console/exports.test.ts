// What a view is exported as, loaded again in a second instance; and the search for links, page by page.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Cms, createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const config = {
  console: true,
  plugins: { i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  components: {
    'page.link': {
      attributes: {
        label: 'string',
        to: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
      },
    },
    'page.quote': {
      attributes: {
        text: 'text',
        links: { type: 'component', component: 'page.link', repeatable: true },
        note: { type: 'string', private: true },
      },
    },
  },
  contentTypes: {
    author: { attributes: { name: 'string' } },
    number: { attributes: { value: 'integer' } },
    story: {
      drafts: true,
      localized: true,
      attributes: {
        title: 'string',
        extra: 'json',
        price: 'decimal',
        moment: 'datetime',
        hidden: { type: 'string', private: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        readers: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
        editor: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
        photo: { type: 'media', allowedTypes: ['images'] },
        quote: { type: 'component', component: 'page.quote' },
        body: { type: 'dynamiczone', components: ['page.quote', 'page.link'] },
      },
    },
  },
}

const data = {
  author: Array.from({ length: 45 }, (_, index) => ({ id: index + 1, name: `Author ${index + 1}` })),
  number: Array.from({ length: 50_003 }, (_, index) => ({ id: index + 1, value: index })),
  story: [
    {
      id: 3,
      title: '=sum "quoted": yes',
      extra: { a: [1, null, 'today'], $ref: 'x' },
      price: 1.25,
      moment: '2026-01-31T12:00:00.000Z',
      hidden: 'for nobody',
      author: 2,
      readers: [3, 1],
      quote: { text: 'now', links: [{ label: 'first', to: 4 }, { label: 'second' }], note: 'nor this' },
      body: [
        { __component: 'page.link', label: '$hello', to: 5 },
        { __component: 'page.quote', text: 'two\nlines', links: [{ to: 1 }] },
      ],
    },
    { id: 5, title: 'en français', locale: 'fr', author: 1, localizations: [3] },
    { id: 9, title: 'today', publishedAt: null },
  ],
}

const users = Array.from({ length: 25 }, (_, index) => ({
  username: `user-${String(index + 1).padStart(2, '0')}`,
  email: `user-${index + 1}@example.com`,
  password: 'long-enough-1',
}))

/** A PNG of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(withoutChromium('exports of the console'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    opened = await startConsole({ ...config, data, auth: { users } })
    ;({ cms, page } = opened)
  })
  afterAll(() => opened?.close())

  async function saved(label: string): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 0 }),
      page.getByRole('button', { name: label }).click(),
    ])
    return readFileSync(await download.path(), 'utf8')
  }

  test('data: for the file makes the same entries in another instance', async () => {
    await opened.open('data/story')
    await page.getByRole('combobox', { name: 'Locale' }).selectOption('all')
    await page.getByText('3 entries').waitFor()
    await page.getByText('Export', { exact: true }).click()
    await page.getByText('Without private values and passwords: hidden, quote.note, body.note').waitFor()
    expect(await opened.faults()).toEqual([])
    const text = await saved('data: for the file')
    expect(text).not.toMatch(/for nobody|nor this/)
    const { data: pasted } = parse(text) as { data: object }
    const again = await createCms({ ...config, data: { author: data.author, ...pasted } }, { env: {} })
    const stories = async (of: Cms): Promise<unknown> => {
      const nested = { populate: { links: { populate: '*' } } }
      const zone = { on: { 'page.link': { populate: '*' }, 'page.quote': nested } }
      const found = await of.entries('story').findMany({
        populate: { author: 'true', readers: 'true', localizations: 'true', quote: nested, body: zone },
        publicationState: 'preview',
        locale: 'all',
        sort: 'id',
      })
      return JSON.parse(
        JSON.stringify(found, (key, value: unknown) =>
          /^(createdAt|updatedAt)$/.test(key) ? undefined : key === 'publishedAt' ? value !== null : value,
        ),
      )
    }
    try {
      expect(await stories(again)).toEqual(await stories(cms))
    } finally {
      await again.close()
    }
  })

  test('an export of more than is read says so', async () => {
    await opened.open('data/number')
    await page.getByText('50,003 entries').waitFor()
    await page.getByText('Export', { exact: true }).click()
    const lines = (await saved('CSV')).trimEnd().split('\r\n')
    expect([lines.length, lines.at(-1)]).toEqual([50_001, '50000,49999'])
    await page.getByRole('alert').getByText('Only the first 50,000 of 50,003 entries were read').waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('links are searched on the server, page by page', async () => {
    await opened.open('data/story/3')
    await opened.field('author').fill('Author')
    const choices = page.getByRole('option', { name: /^Author \d+/ })
    const more = page.getByRole('option', { name: 'More results' })
    await expect.poll(() => choices.count()).toBeGreaterThan(17)
    expect(await choices.count()).toBeLessThan(21)
    await more.click()
    await expect.poll(() => choices.count()).toBeGreaterThan(37)
    await more.click()
    await expect.poll(() => choices.count()).toBe(44)
    expect(await more.count()).toBe(0)
  })

  test('users and files are searched on the server, page by page, files of the kinds that the attribute takes', async () => {
    const form = new FormData()
    for (let index = 0; index < 24; index += 1)
      form.append('files', new Blob(['x'], { type: 'text/plain' }), `a-${String(index).padStart(2, '0')}.txt`)
    form.append('files', new Blob([dot], { type: 'image/png' }), 'b-dot.png')
    const answer = await fetch(`${opened.origin}/_console/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-console-key': opened.consoleUrl.split('#key=')[1] ?? '',
      },
      body: '{"as":"everything"}',
    })
    const { token } = (await answer.json()) as { token: string }
    const sent = await fetch(`${opened.origin}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    expect(sent.status).toBe(200)
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    await opened.field('author').press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await opened.field('photo').click()
    const files = page.getByRole('listbox', { name: 'Files' }).getByRole('option')
    await page.getByLabel('Search the files by name').fill('B-DOT')
    await files.filter({ hasText: 'b-dot.png' }).waitFor()
    await page.getByLabel('Search the files by name').fill('')
    await expect.poll(() => files.count()).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await opened.field('editor').fill('USER')
    const choices = page.getByRole('option', { name: /^user-\d+/ })
    await expect.poll(() => choices.count()).toBe(20)
    await page.getByRole('option', { name: 'More results' }).click()
    await expect.poll(() => choices.count()).toBe(25)
    await opened.field('editor').fill('user-2')
    await expect.poll(() => choices.count()).toBe(6)
    const lists = asked.filter(({ pathname }) => /files$|users$/.test(pathname))
    expect(lists.length).toBeGreaterThan(3)
    for (const { searchParams } of lists) expect(searchParams.get('limit')).toMatch(/^(21|41)$/)
    expect(await opened.faults()).toEqual([])
  })

  test('nothing went wrong', () => {
    expect(opened.complaints).toEqual([])
  })
})
