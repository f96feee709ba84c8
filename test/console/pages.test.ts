// The pages of the console in a real browser, against the sample: each shows what it should, has no fault that axe finds,
// and asks no other host for anything.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/console-page.ts'
import { takeLeaks } from '../support/taint/trap.ts'
import { transportsHere } from '../support/transports.ts'

const root = join(import.meta.dirname, '../..')

/** Every type of attributes, to be written into a form and read back; a description that a form has to hide. */
const types = `
  all-kind:
    attributes:
      title: { type: string, required: true }
      slug: { type: uid, targetField: title }
      note: text
      story: richtext
      mail: email
      count: integer
      big: biginteger
      ratio: float
      price: decimal
      day: date
      hour: time
      moment: datetime
      yes: boolean
      colour: { type: enumeration, enum: [red, green] }
      extra: json
      page: blocks
      secret: { type: string, private: true }
      friends: { type: relation, relation: manyToMany, target: api::cuisine.cuisine, private: true }
      inner: { type: component, component: guide.address, private: true }
      zone: { type: dynamiczone, components: [page.paragraph, page.quote], private: true }
      word: password
      address: { type: component, component: guide.address }
      hours: { type: component, component: guide.opening-hours, repeatable: true }
      body: { type: dynamiczone, components: [page.paragraph, page.quote] }
      chef: { type: relation, relation: oneToOne, target: api::chef.chef }
      cuisines: { type: relation, relation: manyToMany, target: api::cuisine.cuisine }
      photo: { type: media }
`

describe.skipIf(withoutChromium('the console'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-console-'))
  const file = join(folder, 'cms.yaml')

  beforeAll(async () => {
    const sample = readFileSync(join(root, 'cms.yaml'), 'utf8').replace(
      'contentTypes:\n',
      `contentTypes:\n${types}`,
    )
    writeFileSync(
      file,
      `${sample}
console: { edit: true }
plugins: { graphql: true, events: true }
`,
    )
    cms = await createCms(file, { env: {}, watch: true })
    opened = await openConsolePage(cms)
    page = opened.page
  })
  afterAll(async () => {
    await opened?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  // A test that is asked again finds no half of its first try.
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) await opened.startOver()
  })
  const open = (address: string): Promise<void> => opened.open(address)
  const field = (name: string) => opened.field(name)
  const faults = (): Promise<readonly string[]> => opened.faults()

  /** The browser is a client: it tells us, by its pipes, what we typed into it and what it shows. */
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  test('without the key it asks for it, and takes it', async () => {
    await page.goto(opened.origin)
    await page.waitForSelector('text=The key is missing')
    await page.fill('input[name=key]', opened.origin.replace(/:\d+$/, '/'))
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('There is no key in this text').waitFor()
    await page.fill('input[name=key]', `${opened.consoleUrl}x`)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.waitForSelector('text=The key is wrong')
    expect(await faults()).toEqual([])
    await page.fill('input[name=key]', opened.consoleUrl)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('/api/restaurants').waitFor()
    expect(page.url()).toBe(`${opened.origin}/`)
  })

  test('the key of an earlier start has expired, and the new one works in the same tab', async () => {
    await page.evaluate(
      "for (const name of ['console-key', 'console-key-accepted']) sessionStorage.setItem(name, 'of-earlier')",
    )
    await page.waitForSelector('text=The key has expired')
    await page.fill('input[name=key]', opened.consoleUrl)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('/api/restaurants').waitFor()
    // The refusals that were asked for.
    const refused = opened.complaints.filter((complaint) => complaint.includes('status of 401'))
    expect(refused.length).toBeGreaterThan(0)
    opened.forget(refused)
  })

  test('home', async () => {
    const row = page.locator('tr', { hasText: '/api/restaurants' })
    expect(await row.innerText()).toMatch(/^Restaurant\s+10\s/)
    expect(await page.innerText('main')).toContain(
      transportsHere[0] === 'uws' ? 'uWebSockets.js' : 'node:http',
    )
    expect(await faults()).toEqual([])
  })

  test('data: a grid searches, sorts and filters on the server', async () => {
    await open('data/restaurant')
    const rows = page.locator('tbody tr')
    await page.getByText('10 entries').waitFor()
    expect(await rows.count()).toBe(10)
    expect(await page.innerText('tbody')).not.toContain('+33')
    await page.getByRole('button', { name: 'Founded' }).click()
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Founded' }).waitFor()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    const editor = page.getByRole('dialog', { name: 'Add a filter' })
    await editor.getByLabel('Value').fill('noodles')
    await editor.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 entry').waitFor()
    expect(await rows.innerText()).toContain('Wen Wen Noodles')
    await page.getByRole('button', { name: 'Name contains “noodles”' }).waitFor()
    await page.getByRole('link', { name: 'Published', exact: true }).click()
    await page.getByText('8 entries').waitFor()
    expect(await faults()).toEqual([])
  })

  test('data: the view is exported, as data for the file, too', async () => {
    const saved = async (label: string): Promise<string> => {
      await page.getByText('Export', { exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: label }).click(),
      ])
      await page.keyboard.press('Escape')
      return readFileSync(await download.path(), 'utf8')
    }
    expect(await saved('CSV')).toMatch(/^id,[\w,]*name,[\s\S]*La Biscotte/)
    expect(JSON.parse(await saved('JSON'))).toHaveLength(8)
    const text = await saved('data: for the file')
    expect(text).toMatch(/^data:\n {2}restaurant:\n {4}- id: \d+\n/)
  })

  test('data: what is wrong is said beside its field', async () => {
    await open('data/all-kind/new')
    await field('mail').fill('nobody')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    for (const name of ['title', 'mail'])
      await page
        .locator('.field', { has: field(name) })
        .getByRole('alert')
        .waitFor()
    expect(await faults()).toEqual([])
  })

  test('data: every type of attribute is written and read back', async () => {
    const texts = {
      title: 'All kinds',
      note: 'two\nlines',
      story: '# Heading',
      mail: 'a@example.com',
      count: '12',
      big: '9007199254740993',
      ratio: '1.5',
      price: '2.25',
      day: '2026-01-31',
      hour: '12:30',
      moment: '2026-01-31T12:00',
      extra: '{"a": [1]}',
      page: '[{"type":"paragraph","children":[{"type":"text","text":"in blocks"}]}]',
      secret: 'hidden words',
      word: 'pass-word-1',
    }
    await open('data/all-kind/new')
    await page.getByRole('button', { name: 'JSON of Page' }).click()
    for (const [name, text] of Object.entries(texts)) await field(name).fill(text)
    await field('yes').selectOption('true')
    await field('colour').selectOption('green')
    const within = (name: string) => page.getByRole('group', { name, exact: true })
    await within('Address').getByRole('button', { name: 'Add Address' }).click()
    await field('address-street').fill('1 Quay')
    await within('Hours').getByRole('button', { name: 'Add to Hours' }).click()
    await field('hours-0-day').selectOption('friday')
    await within('Body').getByRole('button', { name: 'Add to Body' }).click()
    await within('Body').getByRole('button', { name: 'Quote' }).click()
    await field('body-0-words').fill('Said so')
    await within('Inner').getByRole('button', { name: 'Add Inner' }).click()
    await field('inner-street').fill('2 hidden street')
    await within('Zone').getByRole('button', { name: 'Add to Zone' }).click()
    await within('Zone').getByRole('button', { name: 'Quote' }).click()
    await field('zone-0-words').fill('hidden quote')
    await field('friends').fill('Seafood')
    await page.getByRole('option', { name: /^Seafood/ }).click()
    await field('chef').fill('Odile')
    await page.getByRole('option', { name: /^Odile Kerbrat/ }).click()
    await field('cuisines').fill('Seafood')
    await page.getByRole('option', { name: /^Seafood/ }).click()
    await page
      .locator('.field', { has: field('photo') })
      .locator('.upload > input[type=file]')
      .setInputFiles({
        name: 'note.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('a file'),
      })
    await page.getByRole('button', { name: 'Remove note.txt' }).waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/#\/data\/all-kind\/1$/)
    const [entry] = await cms.entries('all-kind').findMany({ populate: '*' })
    const { secret: _secret, word: _word, ...shown } = texts
    expect(entry).toMatchObject({
      ...shown,
      ...{
        slug: 'all-kinds',
        count: 12,
        ratio: 1.5,
        price: 2.25,
        hour: '12:30:00.000',
        moment: new Date('2026-01-31T12:00').toISOString(),
        yes: true,
        colour: 'green',
      },
      extra: { a: [1] },
      page: [{ type: 'paragraph' }],
      address: { street: '1 Quay' },
      hours: [{ day: 'friday' }],
      body: [{ __component: 'page.quote', words: 'Said so' }],
      chef: { name: 'Odile Kerbrat' },
      cuisines: [{ name: 'Seafood' }],
      photo: { name: 'note.txt' },
    })
  })

  test('data: private values are hidden until they are asked for, passwords always', async () => {
    const masked = page.getByText('show the private values')
    await expect.poll(() => masked.count()).toBe(4)
    expect(await page.content()).not.toMatch(/hidden (words|street|quote)/)
    await masked.first().click()
    await expect.poll(() => field('secret').inputValue()).toBe('hidden words')
    expect(await field('inner-street').inputValue()).toBe('2 hidden street')
    await page.getByRole('button', { name: /hidden quote/, expanded: false }).click()
    expect(await field('zone-0-words').inputValue()).toBe('hidden quote')
    expect(await page.locator('.field', { has: field('friends') }).textContent()).toContain('Seafood')
    expect(await masked.count()).toBe(0)
    expect(await field('word').inputValue()).toBe('')
    // The one answer that may hold it.
    expect(takeLeaks().flatMap(({ canaries }) => canaries)).toContain('api::all-kind.all-kind.secret')
    await page.getByRole('button', { name: /friday/, expanded: false }).click()
    expect(await field('hours-0-day').inputValue()).toBe('friday')
    expect(await faults()).toEqual([])
    await field('note').fill('edited')
    await field('inner-street').fill('3 hidden street')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
    await masked.first().click()
    await expect.poll(() => field('inner-street').inputValue()).toBe('3 hidden street')
    await page.getByRole('button', { name: /hidden quote/, expanded: false }).click()
    expect(await field('zone-0-words').inputValue()).toBe('hidden quote')
    const [entry] = await cms.entries('all-kind').findMany({ populate: ['hours'] })
    expect(entry).toMatchObject({ note: 'edited', hours: [{ day: 'friday' }] })
  })

  test('data: entries are deleted together', async () => {
    await open('data/review')
    await page.getByText('11 entries').waitFor()
    await page.locator('tbody').getByRole('checkbox').nth(0).check()
    await page.locator('tbody').getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 2 entries' }).click()
    await page.getByText('2 entries deleted.').waitFor()
    await page.getByText('9 entries').waitFor()
    expect(await cms.entries('review').count()).toBe(9)
  })

  test('model: a diagram leads to the lines of the file', async () => {
    await open('model')
    await page.getByRole('button', { name: /^Restaurant name/ }).click()
    const details = page.getByRole('region', { name: 'Restaurant' })
    expect(await details.innerText()).toMatch(/unique[\s\S]*Who may[\s\S]*public find, findOne/)
    expect(await faults()).toEqual([])
    // The relations of the chosen content-type stand out.
    const near = page.locator('.relation.near title')
    expect(await near.allTextContents()).toContain('chef: oneToOne → Chef')
    expect(await near.allTextContents()).not.toContain('mentor: manyToOne → Chef')
    const line = readFileSync(file, 'utf8').split('\n').indexOf('  restaurant:') + 1
    expect(
      await details
        .getByRole('link', { name: /cms\.yaml:/ })
        .first()
        .innerText(),
    ).toBe(`cms.yaml:${line}`)
  })

  test('model: the diagram is shown as a whole, and made larger and smaller by keys', async () => {
    await page.getByRole('button', { name: 'Close the details' }).click()
    const canvas = page.getByRole('region', { name: 'Diagram' })
    const widths = (): Promise<readonly number[]> =>
      canvas.evaluate((element) => [
        element.scrollWidth,
        element.clientWidth,
        element.scrollHeight,
        element.clientHeight,
      ])
    await page.getByRole('button', { name: 'Fit' }).click()
    await expect
      .poll(async () => {
        const [drawn = 0, shown = 0, tall = 0, high = 0] = await widths()
        return drawn <= shown && tall <= high
      })
      .toBe(true)
    const size = async (): Promise<number> =>
      Number.parseInt(await page.getByRole('button', { name: /% ?: show at 100 %$/ }).innerText(), 10)
    const fit = await size()
    await canvas.press('+')
    await expect.poll(size).toBeGreaterThan(fit)
    await canvas.press('0')
    await expect.poll(size).toBe(fit)
    await canvas.press('-')
    await expect.poll(size).toBeLessThan(fit)
    await page.getByRole('button', { name: /show at 100/ }).click()
    await expect.poll(size).toBe(100)
    const before = await canvas.evaluate((element) => element.scrollLeft)
    const { x = 0, y = 0, width = 0, height = 0 } = (await canvas.boundingBox()) ?? {}
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 - 60, y + height / 2 - 20, { steps: 4 })
    await page.mouse.up()
    expect(await canvas.evaluate((element) => element.scrollLeft)).toBe(before + 60)
    // To move it is not to choose what is below the pointer.
    expect(await page.getByRole('button', { name: 'Close the details' }).count()).toBe(0)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await expect.poll(size).toBeGreaterThan(100)
    expect(await faults()).toEqual([])
  })

  test('ask: a question is clicked together, answered, and explained', async () => {
    await open('ask')
    await page.getByLabel('Content-type').selectOption('restaurant')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Value').fill('noodles')
    await page.getByLabel('chef', { exact: true }).check()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('Wen Wen Noodles').waitFor()
    expect(await answer.innerText()).toMatch(/^200 in [\d.]+ ms[\s\S]*SQL[\s\S]*select[\s\S]*(SCAN|SEARCH)/)
    expect(await faults()).toEqual([])
    await page.getByLabel(/^API/).selectOption('graphql')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await answer.getByText('"restaurants": {').waitFor()
    expect(await answer.innerText()).toContain('Wen Lihua')
    expect(await answer.innerText()).not.toContain('"errors"')
  })

  test('ask: as somebody else', async () => {
    await page.getByLabel('Content-type').selectOption('booking')
    await page.getByLabel(/^API/).selectOption('rest')
    await page.getByLabel('Caller').selectOption('role:public')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('region', { name: 'Answer' }).getByText('403').first().waitFor()
  })

  test('reference: an operation is tried', async () => {
    await open('reference')
    await page.getByLabel('Filter').fill('/api/chefs/')
    await page.locator('summary', { hasText: 'GET' }).first().click()
    await page.locator('.operation[open] input').first().fill('1')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('region', { name: 'Answer' }).getByText('Odile Kerbrat').waitFor()
    expect(await faults()).toEqual([])
  })

  test('access: the table, and why', async () => {
    await open('access')
    await page.getByRole('button', { name: 'public, api::booking.booking.find: no', exact: true }).click()
    await page.getByText('nothing in auth.roles.public.permissions allows it').waitFor()
    await page.getByRole('button', { name: 'public, api::chef.chef.find: yes', exact: true }).click()
    await page.getByText('api::chef.chef.find: yes, without a rule').waitFor()
    expect(await faults()).toEqual([])
    const roles = page.getByRole('region', { name: 'Permissions' }).getByRole('columnheader')
    const all = await roles.allInnerTexts()
    expect(all).toEqual(['Action', 'public', ...all.slice(2)])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await expect.poll(() => roles.allInnerTexts()).toEqual(['Action', 'public'])
    await page.getByLabel('Show').selectOption('All roles and tokens')
    await expect.poll(() => roles.allInnerTexts()).toEqual(all)
    expect(await faults()).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('live: requests come with their SQL', async () => {
    await open('live')
    await page.getByText('Requests per second').waitFor()
    await fetch(`${opened.origin}/api/quarters?sort=name`)
    const row = page.locator('tr', { hasText: '/api/quarters?sort=name' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/GET \/api\/quarters\?sort=name\s+200\s+[\d.]+\s+public/)
    await row.locator('summary').click()
    expect(await row.innerText()).toContain('from `quarters`')
    expect(await faults()).toEqual([])
  })

  test('live: changes come as they are committed, with a way to their entries', async () => {
    await page.getByText('Changes appear here as they are committed.').waitFor()
    await cms.entries('chef').update(1, { name: 'Odile K.' })
    const rows = page.getByRole('region', { name: 'Changes' }).locator('tr')
    const row = rows.filter({ hasText: 'chef 1' })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/update\s+chef 1\s+name/)
    await cms.entries('quarter').create({ name: 'Harbour' })
    await rows.filter({ hasText: 'create' }).waitFor()
    await page.getByLabel('Content-type').selectOption('chef')
    await expect.poll(() => rows.filter({ hasText: 'create' }).count()).toBe(0)
    expect(await faults()).toEqual([])
    await row.getByRole('link').click()
    await expect.poll(() => field('name').inputValue()).toBe('Odile K.')
  })

  test('file: an edit is planned, and saved as it is', async () => {
    await open('file')
    const content = page.getByRole('textbox', { name: 'The file' })
    await content.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('colour: red\n')
    await page.locator('.report', { hasText: 'colour' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('# edited in the console\n')
    await page.getByRole('heading', { name: 'Changes to the database when you save' }).waitFor()
    expect(await faults()).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. The server now uses this file.').waitFor()
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^# edited in the console\n# yaml-language-server/)
    expect(text).toContain('# never leaves the server')
  })

  const mistakes = {
    'an unknown type': (text: string) => text.replace('type: integer, min: 1', 'type: intger, min: 1'),
    'no YAML': (text: string) => `${text}\ncontentTypes: [\n`,
  }
  const pages = [
    '',
    'data/restaurant',
    'data/restaurant/1',
    'model',
    'ask',
    'reference',
    'access',
    'live',
    'file',
  ]

  test.each(pages)('a broken file is shown on the page "%s", until it is mended', async (address) => {
    const text = readFileSync(file, 'utf8')
    await open(address)
    const heading = page.locator('main h1')
    await heading.waitFor()
    const title = await heading.innerText()
    const frame = page.getByRole('alert', { name: 'Errors in the file' })
    for (const spoil of Object.values(mistakes)) {
      writeFileSync(file, spoil(text))
      await frame.waitFor()
      expect(await frame.innerText()).toMatch(/error\[[A-Z]+\d+\][\s\S]*--> .*cms\.yaml:\d+:\d+[\s\S]*\^/)
      expect(await page.innerText('header')).toContain('cms.yaml has errors')
      // The page itself goes on, also where it is opened while the file is wrong.
      expect(await heading.innerText()).toBe(title)
      if (spoil === mistakes['no YAML']) {
        await page.reload()
        await heading.waitFor()
        await frame.waitFor()
        expect(await faults()).toEqual([])
      }
      writeFileSync(file, text)
      await frame.waitFor({ state: 'detached' })
      await page.getByText('cms.yaml is valid').waitFor()
      expect(await heading.innerText()).toBe(title)
    }
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})
