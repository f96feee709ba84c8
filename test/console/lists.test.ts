// The lists and the first page as editors use them, by mouse and by keyboard: rows, views in the address, changes of many.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const COUNT = 60
const LATER = '2199-01-01T10:00:00.000Z'

/** Content-types that only make the list of them long. */
const others = Object.fromEntries(
  Array.from({ length: 15 }, (_, index) => [`kind-${index}`, { attributes: { title: 'string' } }]),
)

const config = {
  dialect: 'strapi-5',
  console: {
    edit: false,
    types: { memo: { list: ['publishedAt', 'title', 'documentId', 'locale'] } },
  },
  plugins: {
    scheduling: true,
    i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } },
  },
  contentTypes: {
    article: {
      info: { displayName: 'Article' },
      drafts: true,
      localized: true,
      schedule: true,
      attributes: {
        cover: { type: 'media', allowedTypes: ['images'] },
        title: { type: 'string', required: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        seats: 'integer',
        day: 'date',
      },
    },
    author: { info: { displayName: 'Author' }, attributes: { name: 'string' } },
    tag: { attributes: { name: 'string' } },
    event: { info: { displayName: 'Event' }, attributes: { title: 'string' } },
    homepage: { kind: 'singleType', attributes: { title: 'string' } },
    ...others,
    memo: { drafts: true, localized: true, attributes: { title: 'string' } },
  },
  data: {
    memo: [
      { id: 1, title: 'Seen by all' },
      { id: 2, title: 'Not yet', publishedAt: null },
      { id: 3, title: 'Vu par tous', locale: 'fr', localizations: [1] },
    ],
    author: [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
    ],
    tag: ['Food', 'Travel', 'Harbour', 'Autumn', 'Music'].map((name, index) => ({ id: index + 1, name })),
    article: [
      ...Array.from({ length: COUNT }, (_, index) => ({
        id: index + 1,
        title: `Article ${index + 1}`,
        author: (index % 2) + 1,
        tags: index === 0 ? [1, 2, 3, 4, 5] : [],
        seats: index,
        day: '2026-03-01',
        ...(index >= 50 && { publishedAt: null }),
        ...(index === 59 && { publishAt: LATER }),
      })),
      { id: 100, title: 'Article en français', locale: 'fr', localizations: [1] },
    ],
  },
}

/** A PNG of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(withoutChromium('the lists of the console'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    opened = await startConsole(config)
    ;({ cms, page } = opened)
  })
  afterAll(() => opened?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const rows = () => page.locator('tbody tr:not(.skeleton)')
  const row = (title: string) => rows().filter({ has: link(title) })
  const status = (text: string) => page.getByText(text, { exact: true })
  const focused = () => page.locator(':focus')
  const hash = () => new URL(page.url()).hash
  async function openList(query = '', count = `${COUNT} entries`): Promise<void> {
    await opened.open(`data/article${query}`)
    await status(count).waitFor()
  }

  test('the first page counts as the lists do, and leads to the last edits, drafts and what is due', async () => {
    const inTable = page
      .getByRole('row', { name: /Article/ })
      .getByRole('cell')
      .nth(1)
    expect(await inTable.innerText()).toBe(String(COUNT))
    await cms.entries('author').update(String((await cms.entries('author').findMany({}))[0]?.documentId), {
      name: 'Ann',
    })
    await page.reload()
    const recent = page.getByRole('region', { name: 'Recently edited' })
    await recent.getByRole('link', { name: 'Ann' }).waitFor()
    expect(await recent.getByRole('listitem').first().innerText()).toMatch(/Ann[\s\S]*Author/)
    await cms.entries('homepage').create({ title: 'Welcome' })
    await page.reload()
    expect(await recent.getByRole('link', { name: 'Homepage' }).getAttribute('href')).toBe('#/data/homepage')
    const drafts = page.getByRole('region', { name: 'Drafts' })
    await drafts.getByRole('link').first().waitFor()
    expect(await drafts.innerText()).not.toContain('Published')
    const due = page.getByRole('region', { name: 'Due' })
    expect(await due.getByRole('listitem').innerText()).toMatch(/Article 60[\s\S]*is published[\s\S]*2199/)
    await page.getByRole('heading', { name: 'For developers' }).waitFor()
    expect(await opened.faults()).toEqual([])
    await button('New …').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Kind 3', exact: true }).waitFor()
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
    expect(await focused().innerText()).toBe('New …')
    await link('New Article').click()
    await page.waitForURL(/#\/data\/article\/new/)
  })

  test('the first page asks a few content-types at a time, and none without entries', async () => {
    const asked = new Set<string>()
    let running = 0
    let most = 0
    const isOfType = (url: string): boolean => url.includes('/api/')
    const end = (request: { url(): string }): void => {
      if (isOfType(request.url())) running -= 1
    }
    const begin = (request: { url(): string }): void => {
      if (!isOfType(request.url())) return
      asked.add(new URL(request.url()).pathname)
      running += 1
      most = Math.max(most, running)
    }
    page.on('request', begin)
    page.on('requestfinished', end)
    page.on('requestfailed', end)
    await opened.open('')
    await page.reload()
    await page.getByRole('region', { name: 'Due' }).getByRole('link').waitFor()
    page.off('request', begin)
    page.off('requestfinished', end)
    page.off('requestfailed', end)
    expect([...asked].toSorted()).toEqual(
      ['articles', 'authors', 'homepage', 'memos', 'tags'].map((name) => `/api/${name}`),
    )
    expect(most).toBeLessThanOrEqual(4)
  })

  test('one popover is open at a time; Escape and a click elsewhere close it', async () => {
    await openList()
    const columns = page.getByRole('dialog', { name: 'Columns' })
    const counts = page.getByRole('dialog', { name: 'Counts' })
    await button('Columns').focus()
    await page.keyboard.press('Enter')
    await columns.waitFor()
    expect(await columns.locator(':focus').getAttribute('type')).toBe('checkbox')
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await columns.waitFor({ state: 'hidden' })
    expect(await focused().innerText()).toBe('Columns')
    await button('Columns').click()
    await columns.waitFor()
    await button('Counts').click()
    await counts.waitFor()
    expect(await columns.isVisible()).toBe(false)
    await page.getByRole('heading', { name: 'Article', exact: true }).click()
    await counts.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 390, height: 700 })
    await button('Export').click()
    const box = await page.getByRole('dialog', { name: 'Export' }).boundingBox()
    expect(box).toMatchObject({ x: expect.any(Number) })
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    const scrolls = 'document.documentElement.scrollWidth > innerWidth'
    expect(await page.evaluate(scrolls)).toBe(false)
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a row says what its entry is, and opens it', async () => {
    const form = new FormData()
    form.append('files', new Blob([dot], { type: 'image/png' }), 'dot.png')
    const { token } = (await (
      await fetch(`${opened.origin}/_console/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-console-key': /#key=(.+)$/.exec(opened.consoleUrl)?.[1] ?? '',
        },
        body: JSON.stringify({ as: 'everything' }),
      })
    ).json()) as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    const sent = await fetch(`${opened.origin}/api/upload`, { method: 'POST', headers, body: form })
    const [{ id }] = (await sent.json()) as [{ id: number }]
    const articles = cms.entries('article')
    const [first] = await articles.findMany({ filters: { title: 'Article 1' } })
    const [second] = await articles.findMany({ filters: { title: 'Article 2' } })
    await articles.update(String(first?.documentId), { cover: id }, { status: 'draft' })
    await openList('?columns=cover,title,tags,day')
    const shown = row('Article 1')
    await shown.locator('img').waitFor()
    expect(await shown.locator('img').getAttribute('src')).toMatch(/^\/uploads\//)
    expect(await shown.innerText()).toMatch(/Modified[\s\S]*Food, Travel \+3[\s\S]*Mar 1, 2026/)
    expect(await shown.getByTitle('2026-03-01').innerText()).toBe('Mar 1, 2026')
    expect(await row('Article 2').innerText()).toContain('Published')
    expect(await opened.faults()).toEqual([])
    expect(await link('Article 2').getAttribute('href')).toBe(
      `#/data/article/${second?.documentId}?locale=en`,
    )
    await row('Article 2').getByText('Mar 1, 2026').click()
    await expect.poll(() => opened.field('title').inputValue()).toBe('Article 2')
    await page.goBack()
    await row('Article 2').waitFor()
  })

  test('rows are chosen and opened by keyboard, and a range with shift', async () => {
    await openList()
    await rows().first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await status('1 chosen').waitFor()
    expect(await row('Article 2').getByRole('checkbox').isChecked()).toBe(true)
    await row('Article 6')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await status('5 chosen').waitFor()
    await page.unroute(/\/api\/articles\?/)
    await button('Choose none').click()
    await row('Article 3').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => opened.field('title').inputValue()).toBe('Article 3')
  })

  test('the address holds the view: back, reload and the same address show it again', async () => {
    await openList()
    await page.getByPlaceholder('Search Article').fill('Article 1')
    await status('11 entries').waitFor()
    expect(hash()).toBe('#/data/article?search=Article+1')
    await button('Seats').click()
    await button('Seats').click()
    await page.locator('th[aria-sort="descending"]').waitFor()
    await page.reload()
    await status('11 entries').waitFor()
    expect(await page.getByPlaceholder('Search Article').inputValue()).toBe('Article 1')
    expect(await rows().first().innerText()).toContain('Article 19')
    await link('All').click()
    await status(`${COUNT} entries`).waitFor()
    await page.goBack()
    await status('11 entries').waitFor()
    for (const [name, count] of [
      ['Drafts', '10 entries'],
      ['Published', '50 entries'],
      ['Scheduled', '1 entry'],
    ] as const) {
      await link(name).click()
      await status(count).waitFor()
      expect(await link(name).getAttribute('aria-current')).toBe('page')
    }
  })

  test('what every entry has is a column where the file says so', async () => {
    await opened.open('data/memo?locale=all')
    await status('3 entries').waitFor()
    const heads = page.getByRole('columnheader')
    expect(await heads.allInnerTexts()).toEqual([
      ...['Published', 'Title', 'State', 'Document ID'],
      ...['Locale', 'Last edit'],
    ])
    // Drafts do not have the moment themselves.
    expect(await heads.getByRole('button').allInnerTexts()).toEqual(['Title', 'Last edit'])
    const [id] = await cms.entries('memo').findMany({ filters: { title: 'Seen by all' } })
    await expect
      .poll(() => row('Seen by all').getByRole('cell').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringMatching(/\d{4}/), String(id?.documentId), 'en']))
    expect((await row('Not yet').getByRole('cell').allInnerTexts())[1]).toBe('')
    expect(await row('Vu par tous').getByRole('cell', { name: 'fr', exact: true }).count()).toBe(1)
    await button('Add a filter').click()
    await expect
      .poll(() => page.getByLabel('Attribute').locator('option').allInnerTexts())
      .toEqual(['Title', 'ID', 'Created', 'Last edit'])
    await page.keyboard.press('Escape')
    expect(await opened.faults()).toEqual([])
  })

  test('filters read as a sentence, and keep what is chosen until they are applied', async () => {
    await openList()
    await row('Article 2').getByRole('checkbox').check()
    const editor = page.getByRole('dialog', { name: 'Add a filter' })
    await button('Add a filter').click()
    await editor.getByLabel('Attribute').selectOption({ label: 'Seats' })
    await editor.getByLabel('Condition').selectOption('is at least')
    await editor.getByLabel('Value').fill('20')
    expect(await opened.faults()).toEqual([])
    expect(await status('1 chosen').count()).toBe(1)
    await editor.getByLabel('Value').press('Enter')
    await status('40 entries').waitFor()
    await page.getByText('1 chosen').waitFor({ state: 'detached' })
    await button('And …').click()
    await editor.getByLabel('Attribute').selectOption({ label: 'Author' })
    await editor.getByPlaceholder('Search').fill('Bob')
    await editor.getByRole('button', { name: 'Bob' }).click()
    await editor.getByRole('button', { name: 'Apply' }).click()
    await status('20 entries').waitFor()
    await button('Author is “Bob”').waitFor()
    await page.reload()
    await button('Author is “Bob”').waitFor()
    expect(await page.getByRole('group', { name: 'Filters' }).innerText()).toMatch(
      /^Where\s+Seats is at least 20\s+and\s+Author is “Bob”/,
    )
    await button('Seats is at least 20').click()
    const seats = page.getByRole('dialog', { name: 'Filter by Seats' })
    await seats.getByLabel('Value').fill('58')
    await seats.getByRole('button', { name: 'Apply' }).click()
    await status('1 entry').waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('a view is saved under a name, renamed and deleted', async () => {
    const name = page.getByRole('dialog').getByLabel('Name')
    await button('Save view').click()
    await name.fill('Drafts')
    await page.getByText('There is a view with this name.').waitFor()
    await name.fill('Large ones')
    expect(await opened.faults()).toEqual([])
    await name.press('Enter')
    await link('Large ones').waitFor()
    const saved = hash()
    await link('All').click()
    await status(`${COUNT} entries`).waitFor()
    await page.reload()
    await link('Large ones').click()
    await status('1 entry').waitFor()
    expect(hash()).toBe(saved)
    await button('Actions for the view Large ones').click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await name.fill('Largest')
    await name.press('Enter')
    await button('Actions for the view Largest').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await status(`${COUNT} entries`).waitFor()
    expect(await link('Largest').count()).toBe(0)
  })

  test('a result says what failed and why, and keeps it chosen', async () => {
    await cms.entries('article').create({ seats: 99 }, { status: 'draft' })
    await openList('?state=draft&sort=seats:desc', '11 entries')
    await rows().nth(0).getByRole('checkbox').check()
    await rows().nth(1).getByRole('checkbox').check()
    await button('Publish').click()
    const result = page.getByRole('alert')
    await result.getByText('1 entry published. 1 could not be published:').waitFor()
    expect(await page.locator('.bulk-result').innerText()).toMatch(/#\d+: .*title/i)
    await status('1 chosen').waitFor()
    expect(await opened.faults()).toEqual([])
    await button('Delete').click()
    await button('Delete 1 entry').click()
    await page.getByText('1 entry deleted.').waitFor()
    await status('9 entries').waitFor()
  })

  test('what takes long shows how far it is, and is ended in between', async () => {
    await openList()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/actions/unpublish**', async (route) => {
      await held
      await route.continue()
    })
    for (const title of ['Article 1', 'Article 2', 'Article 3'])
      await row(title).getByRole('checkbox').check()
    await button('Unpublish').click()
    await page.getByText('Unpublishing 0 of 3').waitFor()
    await button('Cancel').click()
    release()
    await page.getByText('1 entry unpublished. 2 left as they were.').waitFor()
    await page.unroute('**/actions/unpublish**')
    await status('2 chosen').waitFor()
    await button('Choose none').click()
  })

  test('pages are of a size that is chosen, and counted once', async () => {
    const counted: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      const isList = pathname === '/api/articles' && searchParams.has('pagination[page]')
      if (isList) counted.push(String(searchParams.get('pagination[withCount]')))
    })
    await page.reload()
    await openList()
    await page.getByLabel('Page', { exact: true }).fill('3')
    await page.getByLabel('Page', { exact: true }).press('Enter')
    await row('Article 60').waitFor()
    expect(hash()).toContain('page=3')
    await button('Previous page').click()
    await row('Article 30').waitFor()
    await page.getByLabel('Per page').selectOption('100')
    await row('Article 60').waitFor()
    expect(await rows().count()).toBe(COUNT)
    expect(counted.filter((one) => one === 'true')).toHaveLength(1)
    expect(counted.length).toBeGreaterThan(2)
  })

  test('all of a page can be chosen once its entries are there', async () => {
    const held: (() => void)[] = []
    let isOpen = false
    await page.route(/\/api\/articles\?/, async (route) => {
      if (!isOpen) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await opened.open('data/article?search=Article%203')
    const all = page.getByLabel('Choose all of this page')
    await expect.poll(() => all.isDisabled()).toBe(true)
    isOpen = true
    for (const release of held) release()
    await all.check()
    await status('11 chosen').waitFor()
    await page.unroute(/\/api\/articles\?/)
    await button('Choose none').click()
  })

  test('all of a view is chosen, beyond its page, and deleted after a question', async () => {
    await openList('?where=seats:$lt:30', '30 entries')
    await page.getByLabel('Choose all of this page').check()
    await status('25 chosen').waitFor()
    await button('Select all 30 of this view').click()
    await status('All 30 chosen').waitFor()
    await button('Delete').click()
    const dialog = page.getByRole('dialog', { name: 'Delete 30 entries?' })
    expect(await opened.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Keep them' }).click()
    // And the one in French.
    expect(await cms.entries('article').count({ status: 'draft' })).toBe(COUNT + 1)
    await button('Delete').click()
    await dialog.getByRole('button', { name: 'Delete 30 entries' }).click()
    await page.getByText('30 entries deleted.').waitFor()
    await page.getByText('Nothing matches this view').waitFor()
    await link('Show all entries').click()
    await status('30 entries').waitFor()
  })

  test('an empty list leads to its first entry, and many content-types are found by name', async () => {
    const types = page.getByRole('navigation', { name: 'Content-types' })
    await page.getByLabel('Find a content-type').fill('even')
    await types.getByText('Event').waitFor()
    expect(await types.getByRole('link').count()).toBe(1)
    await page.getByLabel('Find a content-type').press('Enter')
    await page.getByText('No entries of Event yet').waitFor()
    expect(await opened.faults()).toEqual([])
    await link('Create the first Event').click()
    await page.waitForURL(/#\/data\/event\/new/)
    await opened.field('title').waitFor()
  })

  test('a list that cannot be loaded says so, and is tried again', async () => {
    await page.route('**/api/events?**', (route) => route.abort())
    await opened.open('data/event')
    await page.getByRole('alert').getByText('The entries could not be loaded').waitFor()
    expect(await opened.faults()).toEqual([])
    await page.unroute('**/api/events?**')
    await button('Try again').click()
    await page.getByText('No entries of Event yet').waitFor()
    opened.forget(opened.complaints.filter((one) => one.includes('ERR_FAILED')))
  })

  test('the texts are in the language that was chosen, and so are numbers and moments', async () => {
    await page.evaluate("localStorage.setItem('console-language', 'de')")
    await page.reload()
    await openList('?where=seats:$gte:30&columns=title,day', '30 Einträge')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    expect(await page.getByRole('group', { name: 'Filter', exact: true }).innerText()).toMatch(
      /^Filter:\s+Seats ist mindestens 30/,
    )
    await page.getByText('01.03.2026').first().waitFor()
    expect(await opened.faults()).toEqual([])
    await page.evaluate("localStorage.removeItem('console-language')")
    await page.reload()
    await status('30 entries').waitFor()
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})
