// The fields of a form with the keyboard and the mouse: what an editor sees, does and hears.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildChanges, copyComponent, type EntryLink } from '../../src/console/browser/data/values.ts'
import type { Attribute, Model } from '../../src/console/described.ts'
import type { Cms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const model = {
  components: [
    {
      uid: 'page.card',
      attributes: [{ name: 'inner', kind: 'component', type: 'component', component: 'page.inner' }],
    },
    { uid: 'page.inner', attributes: [{ name: 'text', kind: 'scalar', type: 'string' }] },
  ],
  types: [],
} as unknown as Model

describe('links of a relation to several', () => {
  const tags: Attribute = { name: 'tags', label: 'Tags', kind: 'relation', type: 'relation', many: true }
  const links = (...ids: readonly number[]): readonly EntryLink[] =>
    ids.map((id) => ({ id, label: String(id) }))
  test.each([
    ['added', [1, 2], [1, 2, 3], { connect: [3], disconnect: [] }],
    ['removed', [1, 2, 3], [1, 3], { connect: [], disconnect: [2] }],
    ['exchanged', [1, 2], [2, 3], { connect: [3], disconnect: [1] }],
    ['in another order', [1, 2, 3], [3, 1, 2], [3, 1, 2]],
    ['added in the middle', [1, 2], [1, 3, 2], [1, 3, 2]],
    ['removed and moved', [1, 2, 3], [3, 1], [3, 1]],
  ])('%s', (_, before, now, sent) => {
    expect(buildChanges([tags], { tags: links(...now) }, { tags: links(...before) }, model)).toEqual({
      tags: sent,
    })
  })
})

test('a copy of a component has no ids, nor have those in it', () => {
  const card = { id: 4, inner: { id: 5, text: 'x' }, links: [{ id: 6, label: 'six' }] }
  expect(copyComponent('page.card', card, model)).toEqual({
    inner: { text: 'x' },
    links: [{ id: 6, label: 'six' }],
  })
})

describe.skipIf(withoutChromium('the fields of the console'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    opened = await startConsole({
      console: true,
      contentTypes: {
        article: {
          attributes: {
            title: { type: 'string', required: true, maxLength: 20 },
            featured: { type: 'boolean', default: true },
            paid: 'boolean',
            accent: { type: 'string', default: '#0b57c2' },
            at: 'datetime',
            ratio: 'float',
            words: { type: 'integer', readOnly: true },
            body: 'richtext',
            tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
            author: { type: 'relation', relation: 'manyToOne', target: 'author' },
            cover: { type: 'media', allowedTypes: ['images'] },
            gallery: { type: 'media', multiple: true },
            sections: { type: 'dynamiczone', components: ['page.hero', 'page.quote'], max: 3 },
          },
        },
        tag: { attributes: { name: { type: 'string', required: true } } },
        author: {
          attributes: { name: { type: 'string', required: true }, mail: { type: 'email', required: true } },
        },
      },
      components: {
        'page.hero': { attributes: { heading: 'string' } },
        'page.quote': { attributes: { words: 'text' } },
      },
      data: {
        tag: Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Tag ${index + 1}` })),
        author: [{ id: 1, name: 'Ada', mail: 'ada@example.com' }],
        article: [
          {
            ...{
              id: 1,
              title: 'The engine',
              featured: false,
              at: '2026-02-28T12:30:15.250Z',
              tags: [1, 2, 3],
            },
            sections: [
              { __component: 'page.hero', heading: 'Welcome' },
              { __component: 'page.quote', words: 'So it is' },
            ],
          },
        ],
      },
    })
    ;({ cms, page } = opened)
    // Each test begins with what is stored.
    const question = page.getByRole('dialog', { name: 'Save your changes?' })
    await page.addLocatorHandler(question, () => question.getByRole('button', { name: 'Discard' }).click())
  })
  afterAll(() => opened?.close())

  const getArticle = async (id = 1): Promise<Record<string, unknown>> =>
    (await cms.entries('article').findOne(id, { populate: '*' })) as Record<string, unknown>
  const getTags = async (): Promise<unknown> =>
    ((await getArticle())['tags'] as readonly { name: string }[]).map(({ name }) => name)
  const saved = () => page.getByRole('status').filter({ hasText: /^ ?Saved \d/ })
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved().waitFor()
  }
  const open = async (address: string): Promise<void> => {
    await opened.open('home')
    await page.locator('form.entry').waitFor({ state: 'detached' })
    await opened.open(address)
    await opened.field('title').waitFor()
  }
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  const chosen = (name: string) =>
    page.getByRole('list', { name: `Chosen for ${name}` }).getByRole('listitem')
  const getFocus = (): Promise<unknown> => page.evaluate("document.activeElement.getAttribute('aria-label')")

  test('labels, limits and what is required are said, and faults stand at their fields', async () => {
    await open('data/article/new')
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('seventeen letters, or more')
    await page.getByText('26 of 20').waitFor()
    expect(await title.getAttribute('aria-required')).toBe('true')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('.field', { has: title }).getByRole('alert').waitFor()
    expect(await title.getAttribute('aria-invalid')).toBe('true')
    const told = (await title.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(told.map((id) => page.locator(`#${id}`).innerText()))
    expect(texts.join(' ')).toMatch(/At most 20 characters.*26 of 20.*Use at most 20/is)
    expect(await page.getByText('Words', { exact: true }).count()).toBe(0)
    expect(await opened.faults()).toEqual([])
  })

  test('switches, colours, numbers and moments', async () => {
    await open('data/article/1')
    const featured = page.getByRole('switch', { name: 'Featured' })
    expect(await featured.isChecked()).toBe(false)
    await featured.press('Space')
    await page.getByLabel('Accent: choose a colour').fill('#12703a')
    await page.getByLabel('Ratio').pressSequentially('1.05')
    await page.getByLabel('Paid').selectOption('No')
    await save()
    expect(await getArticle()).toMatchObject({
      ...{ featured: true, accent: '#12703a', ratio: 1.05, paid: false },
      // It was not touched, so it is what it was to the millisecond.
      at: '2026-02-28T12:30:15.250Z',
    })
    await page.getByLabel('At', { exact: true }).fill('2026-03-01T08:15')
    await save()
    expect(await getArticle()).toMatchObject({ at: new Date('2026-03-01T08:15').toISOString() })
  })

  test('relations are chosen, ordered and removed with the keyboard', async () => {
    await open('data/article/1')
    const tags = page.getByRole('combobox', { name: 'Tags' })
    await tags.focus()
    await page.keyboard.type('Tag 2')
    await option('Tag 21').waitFor()
    await option('Tag 20').and(page.locator('[data-highlighted]')).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => chosen('Tags').allInnerTexts()).toEqual(['Tag 1', 'Tag 2', 'Tag 3', 'Tag 21'])
    // Enter has not sent the form.
    expect(await saved().count()).toBe(0)
    await tags.press('ArrowDown')
    await option('Tag 4').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.keyboard.press('Backspace')
    await expect.poll(() => chosen('Tags').count()).toBe(3)
    // Whoever types fast presses Enter before the options are there.
    await page.keyboard.type('Tag 7')
    await page.keyboard.press('Enter')
    await expect.poll(() => chosen('Tags').allInnerTexts()).toEqual(['Tag 1', 'Tag 2', 'Tag 3', 'Tag 7'])
    await page.keyboard.press('Backspace')
    await expect.poll(() => chosen('Tags').count()).toBe(3)
    await page.getByRole('button', { name: 'Move Tag 3 with the arrow keys' }).press('ArrowUp')
    await page.getByRole('status').getByText('Tag 3: place 2 of 3').waitFor({ state: 'attached' })
    expect(await getFocus()).toBe('Move Tag 3 with the arrow keys')
    await page.keyboard.press('ArrowUp')
    await save()
    expect(await getTags()).toEqual(['Tag 3', 'Tag 1', 'Tag 2'])
  })

  test('a text that comes right after a choice, however late the page draws, is looked for', async () => {
    await open('data/article/1')
    const tags = page.getByRole('combobox', { name: 'Tags' })
    for (const turns of [1, 2, 3, 5, 8, 13, 21]) {
      await tags.fill('Tag 11')
      await option('Tag 11').waitFor()
      await page.evaluate(`(async () => {
        document.querySelector('[role=option]').click()
        for (let turn = 0; turn < ${turns}; turn += 1)
          await new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = resolve
            port2.postMessage(0)
          })
        document.activeElement.value = 'Tag 12'
        document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }))
      })()`)
      await option('Tag 12').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Remove Tag 11' }).click()
    }
  })

  test('relations are ordered by dragging', async () => {
    // A page that scrolls meanwhile ends the dragging.
    await chosen('Tags')
      .nth(1)
      .evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await page.getByRole('button', { name: 'Move Tag 3 with the arrow keys' }).dragTo(chosen('Tags').last())
    await expect.poll(() => chosen('Tags').allInnerTexts()).toEqual(['Tag 1', 'Tag 2', 'Tag 3'])
    await save()
    expect(await getTags()).toEqual(['Tag 1', 'Tag 2', 'Tag 3'])
  })

  test('what is missing is made from its title, or on its own page', async () => {
    await page.getByRole('combobox', { name: 'Tags' }).fill('Quite new')
    await page.getByRole('option', { name: 'Create “Quite new”' }).click()
    await expect.poll(() => chosen('Tags').last().innerText()).toBe('Quite new')
    await save()
    expect(await getTags()).toContain('Quite new')
    await page.getByRole('combobox', { name: 'Author' }).fill('Grace')
    const other = page.context().waitForEvent('page')
    await page.getByRole('option', { name: 'New Author' }).click()
    const tab = await other
    // The key came along.
    await tab.getByLabel('Mail').waitFor()
    await tab.close()
  })

  test('files are sent, described, ordered, and chosen from the library with the keyboard', async () => {
    await open('data/article/1')
    const gallery = opened.group('Gallery')
    await gallery.locator('.upload > input').setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer: dot },
      { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
    ])
    await page.getByRole('button', { name: 'Move two.txt up' }).click()
    await page.getByRole('status').getByText('two.txt: place 1 of 2').waitFor({ state: 'attached' })
    await gallery.getByLabel('Alternative text').fill('A dot')
    await gallery.getByLabel('Alternative text').press('Enter')
    await page.getByText('Saved for every place that shows the picture.').waitFor()
    await page.getByRole('button', { name: 'Choose from the library for Cover' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Files for Cover' })
    const files = dialog.getByRole('option')
    await files.first().waitFor()
    // The attribute takes pictures only.
    expect(await files.count()).toBe(1)
    await files.first().press('Space')
    expect(await opened.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Choose' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await save()
    expect(await getArticle()).toMatchObject({
      cover: { name: 'one.png', alternativeText: 'A dot' },
      gallery: [{ name: 'two.txt' }, { name: 'one.png' }],
    })
    await opened.group('Cover').getByRole('button', { name: 'Remove one.png' }).click()
    await save()
    expect(await getArticle()).toMatchObject({ cover: null })
  })

  test('components are added, ordered, copied and removed, and the focus stays with them', async () => {
    await open('data/article/1')
    const sections = opened.group('Sections')
    const names = () => sections.locator('.card-title').allInnerTexts()
    await sections.getByRole('button', { name: 'Add to Sections' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Hero')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await opened.field('sections-2-words').fill('The last')
    await expect.poll(names).toEqual(['Welcome', 'So it is', 'The last'])
    // There are three at most.
    expect(await sections.getByRole('button', { name: 'Add to Sections' }).isDisabled()).toBe(true)
    const up = (name: string) => sections.getByRole('button', { name: `Move ${name} up` })
    await up('Quote 3, The last').press('Enter')
    await expect.poll(names).toEqual(['Welcome', 'The last', 'So it is'])
    expect(await getFocus()).toBe('Move Quote 2, The last up')
    expect(await opened.field('sections-1-words').inputValue()).toBe('The last')
    expect(await opened.faults()).toEqual([])
    await sections.getByRole('button', { name: 'Remove Quote 3, So it is' }).click()
    await sections.getByRole('button', { name: 'Duplicate Hero 1, Welcome' }).click()
    await save()
    const { sections: saved } = await getArticle()
    expect(saved).toMatchObject([{ heading: 'Welcome' }, { heading: 'Welcome' }, { words: 'The last' }])
  })

  test('Markdown is written with buttons, previewed, and left with Tab', async () => {
    await open('data/article/1')
    const body = opened.field('body')
    await body.click()
    await page.keyboard.type('plain ')
    const formats = page.getByRole('group', { name: 'Formats of Body' })
    await formats.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('strong')
    await formats.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview of Body' })
    await expect.poll(() => preview.locator('strong').innerText()).toBe('strong')
    expect(await opened.faults()).toEqual([])
    await body.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.shadowRoot')).toBeNull()
    await save()
    expect(await getArticle()).toMatchObject({ body: 'plain **strong**' })
    // Words that are drawn in another way are replaced without the browser's own styles.
    for (const text of ['# A heading', 'over the heading', 'two\nlines', 'one line']) {
      await body.fill(text)
      await expect.poll(() => body.innerText()).toBe(text)
    }
    await body.press('Control+a')
    await page.keyboard.type('x')
    await expect.poll(() => body.innerText()).toBe('x')
    await body.press('Control+z')
    await expect.poll(() => body.innerText()).toBe('one line')
    await save()
    expect(await getArticle()).toMatchObject({ body: 'one line' })
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})

/** A PNG of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
