// The entry form loses nothing: it asks before it is left, keeps drafts, tries again, and undoes deletions.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const config = {
  dialect: 'strapi-5',
  console: true,
  plugins: { scheduling: true, i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  contentTypes: {
    article: {
      drafts: true,
      localized: true,
      schedule: true,
      attributes: {
        title: { type: 'string', required: true, maxLength: 20 },
        seats: { type: 'integer', min: 1, max: 10 },
        code: { type: 'string', regex: '^[A-Z]{3}$' },
        extra: 'json',
        author: {
          ...{
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::author.author',
            inversedBy: 'articles',
          },
        },
      },
    },
    author: {
      attributes: {
        name: 'string!',
        mail: { type: 'email', unique: true },
        low: 'integer',
        high: 'integer',
        secret: { type: 'string', private: true },
        word: 'password',
        articles: {
          ...{ type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
        },
      },
      checks: [
        { that: 'low == null || high == null || low <= high', message: 'The lowest is above the highest.' },
      ],
    },
  },
  data: {
    author: [
      { id: 1, name: 'Ann', mail: 'ann@example.com', secret: 'first secret' },
      { id: 2, name: 'Bob', mail: 'bob@example.com' },
    ],
    article: [{ id: 1, title: 'A walk', author: 1 }],
  },
}

describe.skipIf(withoutChromium('the entry form'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    opened = await startConsole(config)
    ;({ cms, page } = opened)
  })
  afterAll(() => opened?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => opened.field(name)
  const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text })
  const saved = () => status(/^ ?Saved \d/).waitFor()
  const question = () => page.getByRole('dialog', { name: 'Save your changes?' })
  const answer = (name: string) => question().getByRole('button', { name, exact: true }).click()
  const summary = () => page.getByRole('region', { name: /needs? attention$/ })
  const authors = () => cms.entries('author')
  const read = async (id: number) => (await authors().findMany({ filters: { id } }))[0]
  const openAuthor = async (id: number): Promise<void> => {
    await opened.open(`data/author/${(await read(id))?.documentId}`)
    await field('name').waitFor()
  }
  /** Loads the page again, and lets it go if the browser asks. */
  const reload = async (): Promise<string[]> => {
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    page.removeAllListeners('dialog')
    return asked
  }

  test('leaving with unsaved changes is asked, by links and by the way back', async () => {
    await opened.open('data/author')
    await page.getByText('2 entries').waitFor()
    await page.locator('tbody').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Ann', level: 1 }).waitFor()
    const address = page.url()
    await field('name').fill('Anna')
    await status(/Unsaved changes/).waitFor()
    await page.getByRole('link', { name: 'Article' }).click()
    await question().waitFor()
    expect(await opened.faults()).toEqual([])
    await answer('Stay')
    expect([page.url(), await field('name').inputValue()]).toEqual([address, 'Anna'])
    await page.goBack()
    await question().waitFor()
    await expect.poll(() => page.url()).toBe(address)
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await field('name').inputValue()).toBe('Anna')
    await page.goBack()
    await answer('Discard')
    await page.getByText('2 entries').waitFor()
    expect(await read(1)).toMatchObject({ name: 'Ann' })
    await page.goForward()
    await page.getByRole('heading', { name: 'Ann', level: 1 }).waitFor()
    expect(await page.getByText('You have unsaved changes').count()).toBe(0)
    await field('name').fill('Anna')
    await page.getByRole('link', { name: 'Article' }).click()
    await answer('Save')
    await page.getByText('1 entry').waitFor()
    expect(await read(1)).toMatchObject({ name: 'Anna' })
  })

  test('Enter does not save, Ctrl+S does', async () => {
    await openAuthor(1)
    await field('name').fill('Ann')
    await field('name').press('Enter')
    await status(/Unsaved changes/).waitFor()
    expect(await read(1)).toMatchObject({ name: 'Anna' })
    await page.keyboard.press('Control+s')
    await saved()
    expect(await read(1)).toMatchObject({ name: 'Ann' })
    await field('name').press('End')
    await field('name').pressSequentially('e')
    await status(/Unsaved changes/).waitFor()
    expect(await status(/^ ?Saved/).count()).toBe(0)
    await field('name').press('Backspace')
    await status(/Unsaved changes/).waitFor({ state: 'detached' })
  })

  test('unsaved values are kept in the browser without secrets, and offered again', async () => {
    await openAuthor(1)
    await page.getByText('show the private values').click()
    await field('secret').fill('second secret')
    await field('word').fill('pass-word-1')
    await field('name').fill('Anne')
    expect(await reload()).toEqual(['beforeunload'])
    await page.getByText(/You have unsaved changes from .*\d:\d\d/).waitFor()
    const kept = await page.evaluate('JSON.stringify(localStorage)')
    expect(kept).toContain('Anne')
    expect(kept).not.toMatch(/secret|pass-word/)
    expect(await opened.faults()).toEqual([])
    expect(await field('name').inputValue()).toBe('Ann')
    await button('Restore').click()
    expect(await field('name').inputValue()).toBe('Anne')
    await button('Save').click()
    await saved()
    await reload()
    await field('name').waitFor()
    expect(await page.getByText('You have unsaved changes').count()).toBe(0)
  })

  test('a draft of an older version is merged with what others saved', async () => {
    await openAuthor(2)
    await field('name').fill('Bobby')
    await field('low').fill('1')
    await reload()
    const found = await read(2)
    await authors().update(String(found?.documentId), { name: 'Robert', high: 5 })
    await reload()
    await button('Restore').click()
    const conflict = page.getByRole('group', { name: 'Conflict of Name' })
    expect(await conflict.innerText()).toMatch(/Bobby[\s\S]*Robert/)
    expect([await field('low').inputValue(), await field('high').inputValue()]).toEqual(['1', '5'])
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await button('Save').click()
    await saved()
    expect(await read(2)).toMatchObject({ name: 'Robert', low: 1, high: 5 })
  })

  test('a draft that is discarded is not offered again', async () => {
    await openAuthor(2)
    await field('name').fill('Bobby')
    await reload()
    await page
      .getByRole('region', { name: 'Unsaved changes' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await reload()
    await field('name').waitFor()
    expect(await page.getByText('You have unsaved changes').count()).toBe(0)
  })

  test('what is wrong is said before saving, with ways to the fields', async () => {
    await opened.open('data/article/new')
    await field('seats').fill('40')
    await field('code').fill('xyz')
    await field('extra').fill('{"a":')
    await button('Create and publish').click()
    await summary().and(page.locator(':focus')).waitFor()
    expect(await summary().getByRole('listitem').allInnerTexts()).toEqual([
      'Title: Fill this in: it is required.',
      'Seats: Write 10 or less.',
      'Code: This does not have the form /^[A-Z]{3}$/.',
      'Extra: This is not JSON yet.',
    ])
    expect(await opened.faults()).toEqual([])
    await summary().getByRole('button', { name: 'Seats' }).click()
    await field('seats').and(page.locator(':focus')).waitFor()
    await field('seats').fill('4')
    await field('code').fill('ABC')
    await field('extra').fill('{"a":1}')
    await button('Create a draft').click()
    await page.waitForURL(/data\/article\/[a-z0-9]{24}/)
    await page.getByText('draft', { exact: true }).waitFor()
    await button('Publish').click()
    await summary().getByText('Fill this in: it is required.').waitFor()
    await field('title').fill('Published')
    await button('Publish').click()
    await page.getByText('published', { exact: true }).waitFor()
    await field('title').fill('Newer')
    await button('Save draft').click()
    await page.getByText('modified', { exact: true }).waitFor()
  })

  test('what the API refuses is said in the same place, without a field, too', async () => {
    await openAuthor(2)
    await field('mail').fill('ann@example.com')
    await field('low').fill('9')
    await button('Save').click()
    await summary().getByRole('listitem').first().waitFor()
    await field('mail').fill('bob@example.com')
    await button('Save').click()
    await summary().getByText('The lowest is above the highest.').waitFor()
    await field('low').fill('2')
    await button('Save').click()
    await saved()
    expect(await summary().count()).toBe(0)
  })

  test('a save without the server is tried again', async () => {
    await openAuthor(2)
    await field('name').fill('Bob')
    await page.context().setOffline(true)
    await button('Save').click()
    await status(/Not saved: the server does not answer/).waitFor()
    await field('high').fill('8')
    await page.context().setOffline(false)
    await expect.poll(async () => (await read(2))?.['name']).toBe('Bob')
    await status(/Unsaved changes/).waitFor()
    expect(await field('high').inputValue()).toBe('8')
    await button('Save').click()
    await saved()
    expect(await read(2)).toMatchObject({ name: 'Bob', high: 8 })
    opened.forget(opened.complaints.filter((one) => /ERR_INTERNET_DISCONNECTED/.test(one)))
  })

  test('an entry whose response was lost is created once, and what was written since is offered', async () => {
    const before = await authors().count()
    await opened.open('data/author/new')
    await field('name').fill('Cleo')
    let isLost = false
    await page.route('**/api/authors', async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue()
      isLost = true
      await route.fetch()
      await field('low').fill('3')
      await route.abort()
    })
    await button('Create').click()
    await page.waitForURL(/data\/author\/[a-z0-9]{24}/)
    await page.unrouteAll()
    expect(await authors().count()).toBe(before + 1)
    await button('Restore').click()
    expect([await field('name').inputValue(), await field('low').inputValue()]).toEqual(['Cleo', '3'])
    await button('Save').click()
    await saved()
    opened.forget(opened.complaints.filter((one) => /ERR_FAILED/.test(one)))
  })

  test('an update whose response was lost is not taken for a conflict', async () => {
    await openAuthor(2)
    let isLost = false
    await page.route('**/api/authors/*', async (route) => {
      if (isLost || route.request().method() !== 'PUT') return route.continue()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await field('name').fill('Bobo')
    await button('Save').click()
    await saved()
    await page.unrouteAll()
    expect(await page.getByText('Somebody else').count()).toBe(0)
    opened.forget(opened.complaints.filter((one) => /ERR_FAILED|status of 412/.test(one)))
  })

  test('a deletion is undone, and done at once when the tab is closed', async () => {
    const before = await authors().count()
    const remove = async (): Promise<void> => {
      await page.getByText('More actions').click()
      await button('Delete').click()
      await page.getByText('Deleted “Bobo”.').waitFor()
      await page.getByText(`${before} entries`).waitFor()
    }
    await openAuthor(2)
    await remove()
    expect(await page.innerText('tbody')).not.toContain('Bobo')
    expect(await opened.faults()).toEqual([])
    await button('Undo').click()
    await page.getByRole('heading', { name: 'Bobo' }).waitFor()
    expect(await authors().count()).toBe(before)
    await remove()
    await page.goto('about:blank')
    await expect.poll(() => authors().count()).toBe(before - 1)
    await opened.enter()
  })

  test('the panel shows uses, another locale and a schedule', async () => {
    await openAuthor(1)
    await page.getByRole('complementary').getByRole('link', { name: 'A walk' }).click()
    await page.getByRole('heading', { name: 'A walk' }).waitFor()
    const [article] = await cms.entries('article').findMany({ filters: { title: 'A walk' } })
    const documentId = String(article?.documentId)
    await cms.entries('article').update(documentId, { title: 'Une promenade' }, { locale: 'fr' })
    await reload()
    await page.getByLabel('Compare with').selectOption('fr')
    expect(await page.getByRole('group', { name: 'Title in French' }).innerText()).toContain('Une promenade')
    await page.getByLabel('Publish at', { exact: true }).fill('2099-01-01T08:00')
    await button('Save draft').click()
    await saved()
    expect(await opened.faults()).toEqual([])
    const [draft] = await cms.entries('article').findMany({ filters: { documentId }, status: 'draft' })
    expect(draft?.['publishAt']).toMatch(/^(2098-12-31|2099-01-01)T/)
  })

  test('values written while an entry is published or hidden stay', async () => {
    const [article] = await cms.entries('article').findMany({ filters: { title: 'A walk' } })
    await opened.open(`data/article/${article?.documentId}`)
    await field('title').waitFor()
    for (const [action, other, seats] of [
      ['Unpublish', 'Publish', '3'],
      ['Publish', 'Unpublish', '4'],
    ] as const) {
      let finishWriting = (): void => {}
      const written = new Promise<void>((resolve) => {
        finishWriting = resolve
      })
      await page.route('**/actions/*', async (route) => {
        await written
        await route.continue()
      })
      const asked = page.waitForRequest('**/actions/*')
      await button(action).click()
      await asked
      await field('seats').fill(seats)
      finishWriting()
      await button(other).waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      expect(await field('seats').inputValue()).toBe(seats)
      await status(/Unsaved changes/).waitFor()
      await button('Save draft').click()
      await saved()
    }
    const [draft] = await cms
      .entries('article')
      .findMany({ filters: { documentId: article?.documentId }, status: 'draft' })
    expect(draft?.['seats']).toBe(4)
  })

  test('nothing went wrong', () => {
    expect(opened.complaints).toEqual([])
  })
})
