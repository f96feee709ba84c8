// An editor who uses the keyboard alone logs in, fills in every type of attribute, saves, publishes and schedules.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/console-page.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const PASSWORD = 'long-enough-1'
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const config = {
  console: true,
  jwtSecret: 'a-secret-of-a-test-that-is-long-enough-0123456789',
  plugins: { scheduling: true, events: true },
  contentTypes: {
    story: {
      options: { draftAndPublish: true },
      pluginOptions: { scheduling: { publishAt: 'publishAt' } },
      attributes: {
        title: { type: 'string', required: true },
        note: 'text',
        mail: 'email',
        count: 'integer',
        big: 'biginteger',
        ratio: 'float',
        price: 'decimal',
        day: 'date',
        hour: 'time',
        moment: 'datetime',
        open: { type: 'boolean', default: false },
        colour: { type: 'enumeration', enum: ['red', 'green'] },
        slug: { type: 'uid', targetField: 'title' },
        extra: 'json',
        body: 'richtext',
        page: 'blocks',
        address: { type: 'component', component: 'part.address' },
        hours: { type: 'component', component: 'part.address', repeatable: true },
        zone: { type: 'dynamiczone', components: ['part.address', 'part.quote'] },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
        publishAt: 'datetime',
        photo: { type: 'media', allowedTypes: ['images'] },
      },
    },
    author: { attributes: { name: { type: 'string', required: true } } },
  },
  components: {
    'part.address': { attributes: { street: 'string' } },
    'part.quote': { attributes: { words: 'string' } },
  },
  data: { author: [{ name: 'Ada' }, { name: 'Bob' }] },
  auth: {
    roles: {
      editor: { console: true, permissions: ['story.*', 'author.*', 'plugin::upload.*'] },
    },
    users: [{ username: 'ann', email: 'ann@example.com', password: PASSWORD, role: 'editor' }],
  },
}

describe.skipIf(withoutChromium('the keyboard in the console'))('in chromium', () => {
  let opened: ConsolePage
  beforeAll(async () => {
    const cms = await createCms(config, { env: {} })
    opened = await openConsolePage(cms)
    const form = new FormData()
    form.append('files', new Blob([IMAGE], { type: 'image/png' }), 'dot.png')
    await cms.as({ role: 'editor' })('/api/upload', { method: 'POST', body: form })
  })
  afterAll(() => opened?.close())
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  const press = (keys: string): Promise<void> => opened.page.keyboard.press(keys)
  const type = (text: string): Promise<void> => opened.page.keyboard.type(text)

  /** The name of the focused element, as a screen reader says it. */
  const nameFocus = async (): Promise<string> =>
    (await opened.page.evaluate(`(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      if (element === null || element === document.body) return ''
      const named = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
      const label = element.labels?.[0]?.textContent ?? ''
      return element.getAttribute('aria-label') || named.trim() || label.trim() || element.textContent.trim()
    })()`)) as string

  async function tabTo(name: RegExp): Promise<void> {
    const seen: string[] = []
    // What was added has the focus already.
    for (let steps = 0; steps < 120; steps += 1) {
      const focused = await nameFocus()
      seen.push(focused)
      if (name.test(focused)) return
      await press('Tab')
    }
    expect.fail(`the Tab key leads to no ${name}: ${seen.join(' | ')}`)
  }
  const write = async (name: RegExp, text: string): Promise<void> => {
    await tabTo(name)
    await type(text)
  }
  const choose = async (name: RegExp, text: string): Promise<void> => {
    await write(name, text)
    await opened.page.getByRole('option', { name: text, exact: true }).waitFor()
    await press('Enter')
    await opened.page.getByRole('listbox').waitFor({ state: 'detached' })
  }

  test('every type of attribute is filled in, saved, and published', async () => {
    const { page, cms, origin } = opened
    await page.goto(origin)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await write(/user name/, 'ann')
    await write(/^Password/, PASSWORD)
    await press('Enter')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().waitFor()
    await press('Control+k')
    await expect.poll(nameFocus).toMatch(/Search pages/)
    await type('new story')
    await page.getByRole('option', { name: /New Story/i }).waitFor()
    await press('Enter')
    await opened.field('title').waitFor()
    await write(/^Title/, 'With the keyboard')
    await write(/^Note/, 'first line')
    await press('Enter')
    await type('second line')
    await write(/^Mail/, 'a@example.com')
    await write(/^Count/, '12')
    await write(/^Big/, '9007199254740993')
    await write(/^Ratio/, '1.5')
    await write(/^Price/, '2.25')
    await write(/^Day/, '01312026')
    await write(/^Hour/, '1230PM')
    await write(/^Moment/, '01312026')
    await press('Tab')
    await type('0815AM')
    await tabTo(/^Open/)
    await press('Space')
    await write(/^Colour/, 'green')
    await tabTo(/^Slug/)
    await write(/^Extra/, '{"a": 1')
    await write(/^Body/, '# Heading')
    await write(/^Page/, 'in blocks')
    await tabTo(/Add.*Address/i)
    await press('Enter')
    await write(/^Street/, '1 Quay')
    await tabTo(/Add.*Hours/i)
    await press('Enter')
    await page.getByRole('list').getByLabel('Street').waitFor()
    await expect.poll(nameFocus, { timeout: 10_000 }).not.toMatch(/Add/)
    await write(/^Street/, '2 Quay')
    await tabTo(/Add.*Zone/i)
    await press('Enter')
    await expect.poll(nameFocus).toBe('Address')
    await press('ArrowRight')
    await press('Enter')
    await write(/^Words/, 'Said so')
    await choose(/^Author/, 'Ada')
    await choose(/^Tags/, 'Bob')
    await tabTo(/Choose|library/i)
    await press('Enter')
    await page.getByRole('option', { name: /dot\.png/ }).waitFor()
    await tabTo(/dot\.png/)
    await press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press('Control+s')
    await page.waitForURL(/#\/data\/story\/1$/)
    const [story] = await cms.entries('story').findMany({ populate: '*', publicationState: 'preview' })
    expect(story).toMatchObject({
      ...{ title: 'With the keyboard', note: 'first line\nsecond line', mail: 'a@example.com' },
      ...{ count: 12, big: '9007199254740993', ratio: 1.5, price: 2.25 },
      ...{ day: '2026-01-31', hour: '12:30:00.000', moment: new Date('2026-01-31T08:15').toISOString() },
      ...{ open: true, colour: 'green', slug: 'with-the-keyboard', extra: { a: 1 }, body: '# Heading' },
      page: [{ type: 'paragraph', children: [{ text: 'in blocks' }] }],
      ...{ address: { street: '1 Quay' }, hours: [{ street: '2 Quay' }] },
      zone: [{ __component: 'part.quote', words: 'Said so' }],
      ...{ author: { name: 'Ada' }, tags: [{ name: 'Bob' }], photo: { name: 'dot.png' } },
      publishedAt: null,
    })
    await tabTo(/^Publish$/)
    await press('Enter')
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    expect(await cms.entries('story').count()).toBe(1)
    expect(await opened.faults()).toEqual([])
    await tabTo(/^Unpublish$/)
    await press('Enter')
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await write(/^Publish at/, '01012099')
    await press('Tab')
    await type('0800AM')
    await press('Control+s')
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
    expect(await cms.entries('story').findMany({ publicationState: 'live' })).toEqual([])
    cms.advance(new Date('2099-01-01T09:00').getTime() - Date.now())
    await expect
      .poll(async () => (await cms.entries('story').findMany({ publicationState: 'live' })).length)
      .toBe(1)
  })
})
