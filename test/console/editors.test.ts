// People who edit content log in to the console in a real browser: what they see, and what stays when a session ends.

import type { Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/console-page.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const PASSWORD = 'long-enough-1'

const config = {
  console: true,
  jwtSecret: 'a-secret-of-a-test-that-is-long-enough-0123456789',
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true },
        body: 'text',
        writer: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      },
    },
    ledger: { attributes: { total: 'integer' } },
    task: {
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string', required: true }, owner: 'string' },
    },
  },
  data: { ledger: [{ total: 1 }], article: [{ title: 'Of nobody' }] },
  auth: {
    roles: {
      editor: {
        console: true,
        permissions: [
          { 'article.*': { where: 'writer == me', set: { writer: 'me' } } },
          'plugin::users-permissions.user.me',
          'plugin::users-permissions.user.find',
        ],
      },
      viewer: { console: true, permissions: ['article.find', 'article.findOne'] },
      worker: {
        console: true,
        permissions: [
          ...['task.find', 'task.findOne', 'task.create'],
          ...['update', 'updateMany', 'delete'].map((action) => ({
            [`task.${action}`]: { where: 'owner == me.username' },
          })),
        ],
      },
      manager: { console: true, permissions: ['plugin::users-permissions.*'] },
    },
    users: [
      { username: 'ann', email: 'ann@example.com', password: PASSWORD, role: 'editor' },
      { username: 'bea', email: 'bea@example.com', password: PASSWORD, role: 'editor' },
      { username: 'vic', email: 'vic@example.com', password: PASSWORD, role: 'viewer' },
      { username: 'wim', email: 'wim@example.com', password: PASSWORD, role: 'worker' },
      { username: 'max', email: 'max@example.com', password: PASSWORD, role: 'manager' },
    ],
  },
}

describe.skipIf(withoutChromium('logins of the console'))('in chromium', () => {
  let opened: ConsolePage
  beforeAll(async () => {
    opened = await openConsolePage(await createCms(config, { env: {} }))
  })
  afterAll(() => opened?.close())
  /** The browser is a client: its pipes carry the passwords that are typed into it. */
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  const links = async (): Promise<readonly string[]> =>
    (await opened.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()).map(
      (text) => text.trim(),
    )
  async function logIn(name: string): Promise<void> {
    const { page, origin } = opened
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(origin)
    await page.getByLabel('E-mail or user name').fill(name)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().waitFor()
  }

  test('a wrong password is refused, a right one shows the pages of the role', async () => {
    const { page, origin } = opened
    await page.goto(origin)
    await page.getByLabel('E-mail or user name').fill('ann')
    await page.getByLabel('Password').fill('wrong-password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Invalid identifier or password').waitFor()
    expect(await opened.faults()).toEqual([])
    await logIn('ann')
    expect(await links()).toEqual(['Home', 'Data', 'Users', 'Account'])
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('an editor sees own entries only, and no other type', async () => {
    const { page, cms } = opened
    await logIn('ann')
    await opened.open('data/article/new')
    await opened.field('title').fill('Of Ann')
    await page.getByRole('button', { name: /draft/i }).first().click()
    await expect
      .poll(
        async () =>
          (await cms.entries('article').findMany({ populate: 'writer', publicationState: 'preview' })).length,
      )
      .toBe(2)
    await opened.open('data/article')
    await page.getByText('Of Ann').waitFor()
    expect(await page.getByText('Of nobody').count()).toBe(0)
    expect(await page.content()).not.toContain('Ledger')
    await opened.open('')
    await page.getByRole('region', { name: 'Mine' }).getByRole('link', { name: 'Of Ann' }).waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('a session that ends keeps the page and what was typed', async () => {
    const { page, cms } = opened
    await logIn('ann')
    await opened.open('data/article/new')
    await opened.field('title').fill('Half a title')
    await page.context().clearCookies()
    const dialog = page.getByRole('dialog', { name: 'Your session is over' })
    await dialog.waitFor()
    expect(await opened.faults()).toEqual([])
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await opened.field('title').inputValue()).toBe('Half a title')
    expect(await cms.entries('article').count()).toBeGreaterThan(0)
  })

  test('a kept draft is offered to who wrote it, and goes with the signing out', async () => {
    const { page } = opened
    const offer = page.getByRole('region', { name: 'Unsaved changes' })
    const writeDraft = async (): Promise<void> => {
      await opened.open('data/article/new')
      await opened.field('title').fill('Only for Ann')
      await expect.poll(() => page.evaluate('Object.values(localStorage).join()')).toContain('Only for Ann')
    }
    await logIn('ann')
    await writeDraft()
    await logIn('bea')
    await opened.open('data/article/new')
    await opened.field('title').waitFor()
    expect(await offer.count()).toBe(0)
    await logIn('ann')
    await opened.open('data/article/new')
    await offer.waitFor()
    await opened.open('account')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain('Only for Ann')
  })

  test('a deletion that could be undone is sent before the signing out', async () => {
    const { page, cms } = opened
    await logIn('ann')
    await opened.open('data/article/new')
    await opened.field('title').fill('To be deleted')
    await page.getByRole('button', { name: /draft/i }).first().click()
    await page.waitForURL(/article\/\d+$/)
    await page.getByText('More actions').click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted “To be deleted”.').waitFor()
    const filters = { title: 'To be deleted' }
    const count = () => cms.entries('article').count({ filters, publicationState: 'preview' })
    expect(await count()).toBe(1)
    await opened.open('account')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await count()).toBe(0)
    expect(await page.getByText(/was not deleted/).count()).toBe(0)
  })

  test('a signing out that fails says why', async () => {
    const { page } = opened
    await logIn('ann')
    await opened.open('account')
    await page.route('**/_console/logout', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    )
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('alert').getByText('Out of order').waitFor()
    expect(await opened.faults()).toEqual([])
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  test('sessions are listed, and signing out everywhere ends them', async () => {
    const { page } = opened
    await logIn('ann')
    await opened.open('account')
    await page.getByText('this one').waitFor()
    expect(await opened.faults()).toEqual([])
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  test('a manager makes a user who logs in, and blocks the user again', async () => {
    const { page } = opened
    await logIn('max')
    await opened.open('users')
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    await dialog.getByRole('textbox', { name: /^username/i }).fill('new')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').first().waitFor()
    await dialog.getByRole('textbox', { name: /^email/i }).fill('new@example.com')
    await opened.field('password').fill(PASSWORD)
    await dialog.getByLabel('Role').selectOption({ label: 'Viewer' })
    expect(await opened.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await logIn('new')
    expect(await links()).toContain('Data')
    await logIn('max')
    await opened.open('users')
    await page
      .getByRole('row', { name: /new@example.com/ })
      .getByRole('button', { name: 'Block' })
      .click()
    await page
      .getByRole('row', { name: /new@example.com/ })
      .getByText('blocked')
      .waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('the views that somebody saved are not those of the next person in this browser', async () => {
    const { page } = opened
    await logIn('ann')
    await opened.open('data/article?search=Of')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Of Ann')
    await page.getByRole('dialog').getByLabel('Name').press('Enter')
    const view = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Of Ann' })
    await view.waitFor()
    await logIn('vic')
    await opened.open('data/article')
    await page.getByText('Of nobody').waitFor()
    expect(await view.count()).toBe(0)
    await logIn('ann')
    await opened.open('data/article')
    await view.waitFor()
  })

  describe('of selected entries, those are changed that the rules allow', () => {
    const publishedAt = '2026-01-01T00:00:00.000Z'
    const makeTasks = async (owner: string, count: number): Promise<void> => {
      for (let number = 1; number <= count; number += 1)
        await opened.cms.entries('task').create({ title: `${owner} ${number}`, owner, publishedAt })
    }
    const bar = () => opened.page.getByRole('group', { name: 'Chosen entries' })
    const offered = () => bar().locator('.bulk-actions').getByRole('button').allInnerTexts()
    const choose = (title: string) =>
      opened.page.getByRole('checkbox', { name: `Choose ${title}`, exact: true }).check()
    const act = (name: string) => bar().getByRole('button', { name }).click()
    const countRequests = async (run: () => Promise<void>): Promise<readonly string[]> => {
      const sent: string[] = []
      const note = (request: Request): void => {
        if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
      }
      opened.page.on('request', note)
      await run()
      opened.page.off('request', note)
      return sent.filter((line) => !line.includes('/_console/')).map((line) => line.replace(/\d+$/, 'id'))
    }

    test('foreign ones alone offer nothing that is refused, mixed ones say how many', async () => {
      const { page, cms } = opened
      await makeTasks('wim', 2)
      await makeTasks('ann', 3)
      await logIn('wim')
      await opened.open('data/task')
      await choose('ann 1')
      await expect.poll(offered).toEqual(['Duplicate'])
      await page.getByLabel('Choose all of this page').check()
      await expect.poll(offered).toEqual(['Publish', 'Unpublish', 'Set a value', 'Duplicate', 'Delete'])
      await act('Set a value')
      const change = page.getByRole('dialog', { name: 'Set a value of 2 entries' })
      await change.getByText('2 of 5 selected entries; 3 may not be changed by you.').waitFor()
      await change.getByRole('button', { name: 'Close' }).click()
      await act('Unpublish')
      const question = page.getByRole('dialog', { name: 'Unpublish 2 entries?' })
      await question.getByText('2 of 5 selected entries; 3 may not be changed by you.').waitFor()
      expect(await opened.faults()).toEqual([])
      const sent = await countRequests(async () => {
        await question.getByRole('button', { name: 'Unpublish 2 entries' }).click()
        await page.getByText('2 entries unpublished.').waitFor()
      })
      expect(sent).toEqual(['PUT /api/tasks/id', 'PUT /api/tasks/id'])
      expect(await cms.entries('task').count({ publicationState: 'live' })).toBe(3)
    })

    test('they are deleted, also where the selection takes several requests for its rights', async () => {
      const { page, cms } = opened
      await makeTasks('wim', 100)
      await logIn('wim')
      await opened.open('data/task?size=100')
      await page.getByLabel('Choose all of this page').check()
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(5)
      await page.getByLabel('Choose all of this page').check()
      await bar().getByText('105 chosen').waitFor()
      await act('Delete')
      const question = page.getByRole('dialog', { name: 'Delete 102 entries?' })
      await question.getByText('102 of 105 selected entries; 3 may not be deleted by you.').waitFor()
      const sent = await countRequests(async () => {
        await question.getByRole('button', { name: 'Delete 102 entries' }).click()
        await page.getByText('102 entries deleted.').waitFor()
      })
      expect(new Set(sent)).toEqual(new Set(['DELETE /api/tasks/id']))
      expect(sent.length).toBe(102)
      expect(await cms.entries('task').count({ publicationState: 'preview' })).toBe(3)
    })

    test('rights that cannot be read are asked for again', async () => {
      const { page } = opened
      await makeTasks('wim', 1)
      await logIn('wim')
      await opened.open('data/task')
      await page.route('**/_console/rights', (route) => route.abort())
      await choose('wim 1')
      const alert = bar().getByRole('alert')
      await alert.getByText('Your rights to these entries are not known').waitFor()
      expect(await offered()).toEqual(['Duplicate'])
      expect(await opened.faults()).toEqual([])
      await page.unroute('**/_console/rights')
      await alert.getByRole('button', { name: 'Try again' }).click()
      await bar().getByRole('button', { name: 'Delete' }).waitFor()
      opened.forget(opened.complaints)
    })
  })

  test('a viewer finds no button that would be refused', async () => {
    const { page } = opened
    await logIn('vic')
    await opened.open('data/article')
    await page.getByText('Of nobody').waitFor()
    for (const name of [/new/i, /delete/i, /publish/i, /save/i, /duplicate/i])
      expect([name, await page.getByRole('main').getByRole('button', { name }).count()]).toEqual([name, 0])
    expect(await page.getByRole('main').getByRole('link', { name: /new/i }).count()).toBe(0)
    await opened.open('data/article/1')
    await opened.field('title').waitFor()
    for (const name of [/delete/i, /publish/i, /save/i, /duplicate/i])
      expect([name, await page.getByRole('main').getByRole('button', { name }).count()]).toEqual([name, 0])
    expect(await opened.faults()).toEqual([])
  })
})
