// The console with versions, changes of many entries and counts, in both dialects.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const order = (number: number, status: string | null, total: number) => ({ number, status, total })

describe.skipIf(withoutChromium('versions in the console')).each(['strapi-4', 'strapi-5'] as const)(
  '%s in chromium',
  (dialect) => {
    let cms: Cms
    let opened: ConsolePage
    let page: Page
    beforeAll(async () => {
      opened = await startConsole({
        dialect,
        console: true,
        contentTypes: {
          order: {
            drafts: true,
            attributes: { number: 'integer', status: 'string', note: 'string', total: 'integer' },
          },
          invoice: { drafts: true, concurrency: 'required', attributes: { number: 'integer' } },
        },
        data: {
          order: [order(1, 'open', 10), order(2, 'open', 20), order(3, 'paid', 30), order(4, null, 40)],
          invoice: [{ number: 1 }, { number: 2 }],
        },
      })
      ;({ cms, page } = opened)
    })
    afterAll(() => opened?.close())

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const save = () => page.getByRole('button', { name: /^Save( draft)?$/ }).click()
    const saved = () =>
      page
        .getByRole('status')
        .filter({ hasText: /^ ?Saved \d/ })
        .waitFor()
    const orders = () => cms.entries('order')
    const key = async (number: number): Promise<number | string> => {
      const [entry] = await orders().findMany({ filters: { number } })
      return (entry?.documentId as string | undefined) ?? entry?.id ?? 0
    }
    const read = async (number: number) => (await orders().findMany({ filters: { number } }))[0]

    test('a conflict is shown field by field', async () => {
      const id = await key(1)
      await opened.open(`data/order/${id}`)
      await opened.field('status').fill('sent')
      await opened.field('note').fill('mine')
      await orders().update(id, { status: 'paid', total: 11 }, { status: 'draft' })
      await save()
      await page.getByText('Somebody else changed Status meanwhile, too.').waitFor()
      const conflict = page.getByRole('group', { name: 'Conflict of Status' })
      expect((await conflict.innerText()).split(/\n+/)).toEqual([
        ...['Yours', 'sent', 'Keep mine'],
        ...['Saved meanwhile', 'paid', 'Take theirs'],
      ])
      expect(await opened.field('total').inputValue()).toBe('11')
      expect(await opened.field('status').inputValue()).toBe('sent')
      expect(await opened.field('note').inputValue()).toBe('mine')
      expect(await opened.faults()).toEqual([])
      await save()
      await conflict.getByRole('button', { name: 'Keep mine' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await conflict.waitFor({ state: 'detached' })
      expect(await opened.field('status').inputValue()).toBe('paid')
      await save()
      await saved()
      expect(await read(1)).toMatchObject({ status: 'paid', total: 11, note: 'mine' })
    })

    test('what only others changed is taken, and nothing is lost', async () => {
      const id = await key(2)
      await opened.open(`data/order/${id}`)
      await opened.field('note').fill('mine')
      await orders().update(id, { total: 21 }, { status: 'draft' })
      await save()
      await page.getByText('nothing of yours is lost').waitFor()
      await save()
      await saved()
      expect(await read(2)).toMatchObject({ total: 21, note: 'mine' })
    })

    test('a deletion of what has changed meanwhile is refused', async () => {
      const id = await key(2)
      await opened.open(`data/order/${id}`)
      await opened.field('note').waitFor()
      await orders().update(id, { total: 22 }, { status: 'draft' })
      await page.getByText('More actions').click()
      await button('Delete').click()
      await button('Close the message').click()
      await page.getByText('was not deleted: somebody else saved it meanwhile').waitFor()
      await page.getByText('4 entries').waitFor()
      expect(await orders().count()).toBe(4)
      await button('Close the message').click()
    })

    test('counts by an attribute, which become filters', async () => {
      await opened.open('data/order')
      await page.getByText('4 entries').waitFor()
      await button('Counts').click()
      await page.getByLabel('Count by').selectOption('status')
      const counts = page.getByRole('table', { name: 'Counts by Status' })
      await counts.getByText('(empty)').waitFor()
      expect((await counts.innerText()).split(/\s+/)).toEqual(['paid', '2', '(empty)', '1', 'open', '1'])
      await page.getByLabel('Count by').selectOption('total')
      await page.getByText('min 11 · max 40 · avg 25.75 · sum 103').waitFor()
      expect(await opened.faults()).toEqual([])
      await page.getByLabel('Count by').selectOption('status')
      await counts.getByRole('button', { name: 'paid' }).click()
      await page.getByText('2 entries').waitFor()
    })

    test('an attribute of all entries of the view is set', async () => {
      await page.locator('tbody tr').nth(0).getByRole('checkbox').check()
      await button('Select all 2 of this view').click()
      await page.getByText('All 2 chosen').waitFor()
      await button('Set a value').click()
      const dialog = page.getByRole('dialog', { name: 'Set a value of 2 entries' })
      await dialog.getByLabel('Attribute').selectOption('note')
      await opened.field('note').fill('checked')
      expect(await opened.faults()).toEqual([])
      // What is set is what was said.
      const [late] = await orders().findMany({ filters: { status: 'open' } })
      await orders().update(String(late?.documentId ?? late?.id), { status: 'paid' }, { status: 'draft' })
      await button('Change 2 entries').click()
      await page.getByText('Meanwhile the view has 3 entries. Nothing was changed.').waitFor()
      expect((await orders().findMany({ filters: { note: 'checked' } })).length).toBe(0)
      await button('Change 3 entries').click()
      await page.getByText('3 entries changed.').waitFor()
      const changed = await orders().findMany({
        filters: { note: 'checked' },
        sort: 'number',
        ...(dialect === 'strapi-5' && { status: 'draft' }),
      })
      expect(changed.map(({ number }) => number)).toEqual([1, 2, 3])
      await page.getByLabel('Remove the condition on Status').click()
      await page.getByText('4 entries').waitFor()
    })

    test('a changed entry that needs its version is saved and published', async () => {
      const [invoice] = await cms.entries('invoice').findMany({ filters: { number: 2 } })
      await opened.open(`data/invoice/${invoice?.documentId ?? invoice?.id}`)
      await button('Unpublish').click()
      await opened.field('number').fill('3')
      await button('Publish').click()
      await saved()
      await button('Unpublish').waitFor()
      expect(await opened.faults()).toEqual([])
      const published = await cms.entries('invoice').findMany({ filters: { number: 3 }, status: 'published' })
      expect(published.length).toBe(1)
    })

    test.each([
      ['order', 4],
      ['invoice', 2],
    ])('chosen entries of %s are published, hidden and deleted together', async (type, count) => {
      await opened.open(`data/${type}`)
      await page.getByText(`${count} entries`, { exact: true }).waitFor()
      const rows = page.locator('tbody tr')
      for (const [name, state] of [
        ['Unpublish', 'Draft'],
        ['Publish', 'Published'],
      ] as const) {
        await page.getByLabel('Choose all of this page').check()
        await button(name).click()
        await rows
          .getByText(state, { exact: true })
          .nth(count - 1)
          .waitFor()
      }
      await rows.nth(0).getByRole('checkbox').check()
      await rows
        .nth(count - 1)
        .getByRole('checkbox')
        .check()
      await button('Delete').click()
      await button('Delete 2 entries').click()
      await page.getByText('2 entries deleted.').waitFor()
      await page.getByText(count === 4 ? '2 entries' : '0 entries', { exact: true }).waitFor()
      const left = await cms.entries(type).findMany({ sort: 'number' })
      expect(left.map(({ number }) => number)).toEqual(count === 4 ? [2, 3] : [])
      expect(opened.complaints.filter((one) => !one.includes('status of 412'))).toEqual([])
    })
  },
)
