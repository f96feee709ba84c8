// Every type of attribute and every kind of relation of the recorded Strapi's model, edited in a form and read back
// through the API.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openRecordedCms, type RecordedCms } from '../conformance/recorded-cms.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/console-page.ts'
import { takeLeaks } from '../support/taint/trap.ts'

interface Declared {
  readonly type: string
  readonly relation?: string
  readonly mappedBy?: string
  readonly multiple?: boolean
  readonly repeatable?: boolean
}

const folder = join(import.meta.dirname, '../conformance')
const declared = parse(readFileSync(join(folder, 'recorded/cms.yaml'), 'utf8')) as {
  readonly contentTypes: Readonly<Record<string, { readonly attributes: Readonly<Record<string, Declared>> }>>
}
const edited = new Set<string>()

/** What a form does differently: the type, the kind of relation and its side, one or several. */
function kindOf({ type, relation, mappedBy, multiple, repeatable }: Declared): string {
  const several = multiple === true || repeatable === true ? ' several' : ''
  return `${[type, relation, mappedBy && 'mapped'].filter((part) => part !== undefined).join(' ')}${several}`
}

describe.skipIf(withoutChromium('the form of the console'))('in chromium', () => {
  let recorded: RecordedCms
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    recorded = await openRecordedCms(undefined, {
      folder,
      config: (config) => ({ ...config, console: true }),
      data: (data) => data,
    })
    opened = await openConsolePage(recorded.cms)
    page = opened.page
    // What a test left unsaved is of no use to the next.
    const question = page.getByRole('dialog', { name: 'Save your changes?' })
    await page.addLocatorHandler(question, () => question.getByRole('button', { name: 'Discard' }).click())
    await opened.enter()
  })
  afterAll(async () => {
    await opened?.close()
    await recorded?.close()
  })

  /** The browser is a client: it tells us, by its pipes, the passwords that we typed into it. */
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  /** Opens the form of an entry. */
  async function form(type: string, id: string): Promise<void> {
    await opened.open(`data/${type}/${id}`)
    await page.locator(`form[data-entry="${type}/${id.split('?')[0]}"]`).waitFor()
  }

  /** The attributes that were given values in the open form. */
  function editedIn(type: string, names: readonly string[]): void {
    const { attributes } = declared.contentTypes[`api::${type}.${type}`] ?? { attributes: {} }
    for (const name of names) {
      const attribute = attributes[name]
      if (attribute === undefined) throw new Error(`${type} has no ${name}`)
      edited.add(kindOf(attribute))
    }
  }

  async function save(): Promise<void> {
    await page.getByRole('button', { name: /^Save( draft)?$/ }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
  }

  async function fill(values: Readonly<Record<string, string>>): Promise<void> {
    const json = page.getByRole('button', { name: 'JSON of A blocks', pressed: false })
    if ('a_blocks' in values && (await json.count()) > 0) await json.click()
    for (const [name, value] of Object.entries(values)) {
      if (['a_json', 'a_blocks', 'a_richtext'].includes(name)) await write(name, value)
      else await opened.field(name).fill(value)
    }
  }

  /** As one types and pastes into an editor of text. */
  async function write(name: string, text: string): Promise<void> {
    await opened.field(name).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }

  /** The text of an editor, which is no input. */
  async function getText(name: string): Promise<string> {
    const lines = await opened.field(name).locator('.cm-line').allTextContents()
    return lines.join('\n')
  }

  /** Looks for a text and takes the entry with this label, with the keyboard. */
  async function link(name: string, label: string): Promise<void> {
    await opened.field(name).fill(label)
    const option = page.getByRole('option', { name: label, exact: false }).first()
    await option.and(page.locator('[data-highlighted]')).waitFor()
    await opened.field(name).press('Enter')
    await page
      .getByRole('button', { name: `Remove ${label}` })
      .first()
      .waitFor()
  }

  async function unlink(name: string, label: string): Promise<void> {
    await page
      .locator('.field', { has: opened.field(name) })
      .getByRole('button', { name: `Remove ${label}` })
      .click()
  }

  async function read(path: string): Promise<Record<string, unknown>> {
    const answer = await recorded.cms.as({ token: 'full' })(`/api/${path}`)
    const { data } = (await answer.json()) as { data: { attributes: Record<string, unknown> } }
    return data.attributes
  }

  const idsOf = (value: unknown): readonly number[] =>
    (value as { data: readonly { id: number }[] }).data.map(({ id }) => id)

  const scalars = {
    a_string: 'a new string',
    a_text: 'two\nlines',
    a_richtext: '# Heading\n\n**bold**',
    a_email: 'form@example.com',
    a_password: 'a new password',
    a_uid: 'a-new-uid',
    a_integer: '42',
    a_biginteger: '9007199254740993',
    a_float: '1.25',
    a_decimal: '12.34',
    a_date: '2026-02-28',
    a_time: '12:30',
    a_datetime: '2026-02-28T12:30',
    a_timestamp: '2026-02-28T12:30:15.25',
    a_json: '{\n  "list": [\n    1\n  ]\n}',
    a_blocks: '[{"type":"paragraph","children":[{"type":"text","text":"in blocks"}]}]',
    camelCase: 'in camel case',
  }
  /** The browser's time zone is the one of this process. */
  const asRead = {
    a_time: '12:30:00.000',
    a_datetime: new Date('2026-02-28T12:30').toISOString(),
    a_timestamp: new Date('2026-02-28T12:30:15.250').toISOString(),
    a_integer: 42,
    a_float: 1.25,
    a_decimal: 12.34,
    a_boolean: true,
    a_enum: 'with space',
    a_json: { list: [1] },
    a_blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'in blocks' }] }],
  }

  test.each(['1', 'new'])('scalars of the entry %s', async (id) => {
    await form('kitchen-sink', id)
    await fill({ ...scalars, a_uid: `uid-of-${id}` })
    await opened.field('a_boolean').selectOption('true')
    await opened.field('a_enum').selectOption('with space')
    if (id === 'new') {
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.waitForURL(/kitchen-sink\/\d+$/)
    } else await save()
    const { a_password: _, ...texts } = scalars
    const written = /\d+$/.exec(page.url())?.[0]
    const entry = await read(`kitchen-sinks/${written}`)
    expect(entry).toMatchObject({ ...texts, ...asRead, a_uid: `uid-of-${id}` })
    expect(entry).not.toHaveProperty('a_password')
    editedIn('kitchen-sink', [...Object.keys(scalars), 'a_boolean', 'a_enum'])
    // The form that is opened again shows what was read.
    await page.reload()
    await expect.poll(() => getText('a_json')).toBe(scalars.a_json)
    await expect.poll(() => getText('a_richtext')).toBe(scalars.a_richtext)
    for (const name of ['a_text', 'a_biginteger', 'a_decimal', 'a_time', 'a_timestamp', 'a_date'] as const)
      expect(await opened.field(name).inputValue()).toBe(scalars[name])
    expect(await opened.field('a_password').inputValue()).toBe('')
    expect(await opened.faults()).toEqual([])
  })

  test('scalars are emptied', async () => {
    await form('kitchen-sink', '2')
    const names = Object.keys(scalars).filter((name) => !['a_password', 'a_date'].includes(name))
    await fill(Object.fromEntries(names.map((name) => [name, ''])))
    await opened.field('a_date').fill('')
    await opened.field('a_boolean').selectOption('')
    await save()
    const entry = await read('kitchen-sinks/2')
    for (const name of ['a_integer', 'a_biginteger', 'a_float', 'a_date', 'a_time', 'a_datetime', 'a_json'])
      expect(entry[name], name).toBeNull()
  })

  test('a password is changed, and never shown', async () => {
    await form('author', '1')
    await fill({ pin: 'new-pin-1', bio: 'with a pin' })
    await save()
    expect(await opened.field('pin').inputValue()).toBe('')
    expect(await read('authors/1')).toMatchObject({ bio: 'with a pin' })
    editedIn('author', ['pin'])
  })

  test('components, media and relations of a restaurant', async () => {
    await form('restaurant', '1')
    const before = await read('restaurants/1?populate=*')
    const hours = (before['opening_hours'] as unknown[]).length
    await opened.group('address').getByRole('button', { name: 'Add Address' }).click()
    await fill({ revenue: '12345678901234567', 'address-street': '1 Quay', 'address-city': 'Brest' })
    await opened.group('geo').last().getByRole('button', { name: 'Add Geo' }).click()
    await fill({ 'address-geo-lat': '48.39' })
    await opened.group('opening hours').getByRole('button', { name: 'Add to Opening hours' }).click()
    await opened.field(`opening_hours-${hours}-day`).selectOption('sunday')
    await fill({ [`opening_hours-${hours}-opens`]: '09:00:00.000' })
    await opened.group('opening hours').getByRole('button', { name: 'Add to Opening hours' }).click()
    await opened.field(`opening_hours-${hours + 1}-day`).selectOption('monday')
    await opened
      .group('opening hours')
      .getByRole('button', { name: new RegExp(`^Move ${hours + 2}.* up$`) })
      .click()
    await page
      .locator('.field', { has: opened.field('logo') })
      .locator('.upload > input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: dot })
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await page
      .locator('.field', { has: opened.field('photos') })
      .locator('.upload > input[type=file]')
      .setInputFiles([
        { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
        { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
      ])
    await page.getByRole('button', { name: 'Remove two.txt' }).waitFor()
    await link('categories', 'Coffee')
    await link('reviews', 'Meh')
    await link('menu', 'Menu 02')
    await link('chef', 'Chloé')
    await link('suppliers', 'Dmitri')
    await link('notes', '50%_note')
    await save()
    const after = await read(
      'restaurants/1?populate[address][populate]=*&populate=*&publicationState=preview',
    )
    expect(after).toMatchObject({
      revenue: '12345678901234567',
      logo: { data: { attributes: { name: 'dot.png' } } },
    })
    const nested = await read('restaurants/1?populate[address][populate]=geo')
    expect(nested['address']).toMatchObject({ street: '1 Quay', city: 'Brest', geo: { lat: 48.39 } })
    const days = (after['opening_hours'] as { day: string }[]).map(({ day }) => day)
    expect(days.slice(hours)).toEqual(['monday', 'sunday'])
    const photos = (after['photos'] as { data: { attributes: { name: string } }[] }).data
    expect(photos.map(({ attributes }) => attributes.name).slice(-2)).toEqual(['one.txt', 'two.txt'])
    expect(after['chef']).toMatchObject({ data: { attributes: { first_name: 'Chloé' } } })
    expect(idsOf(after['notes'])).toContain(8)
    expect(idsOf(after['categories'])).toEqual([...idsOf(before['categories']), 13])
    for (const name of ['reviews', 'suppliers'])
      expect(idsOf(after[name]).length, name).toBe(idsOf(before[name]).length + 1)
    expect(after['menu']).toMatchObject({ data: { attributes: { title: 'Menu 02' } } })
    const names = ['address', 'opening_hours', 'logo', 'photos', 'categories', 'reviews', 'menu', 'chef']
    editedIn('restaurant', [...names, 'suppliers', 'notes', 'revenue'])
    await unlink('categories', 'Coffee')
    await unlink('logo', 'dot.png')
    await save()
    const last = await read('restaurants/1?populate=*&publicationState=preview')
    expect(last).toMatchObject({ logo: { data: null } })
    expect(idsOf(last['categories'])).toEqual(idsOf(before['categories']))
    expect(await opened.faults()).toEqual([])
  })

  test('the other sides: one of several, of users, of several on their own side', async () => {
    await form('review', '1')
    await unlink(
      'restaurant',
      String(labelIn(await read('reviews/1?populate=restaurant'), 'restaurant', 'name')),
    )
    await link('restaurant', 'chez alice')
    await link('reviewer', 'bob')
    await save()
    expect(await read('reviews/1?populate=*&publicationState=preview')).toMatchObject({
      restaurant: { data: { attributes: { name: expect.stringMatching(/chez alice/i) } } },
      reviewer: { data: { attributes: { username: 'bob' } } },
    })
    editedIn('review', ['restaurant', 'reviewer'])
    await form('menu', '3')
    await link('restaurant', 'Chez Alice')
    await save()
    expect(
      labelIn(await read('menus/3?populate=restaurant&publicationState=preview'), 'restaurant', 'name'),
    ).toMatch(/chez alice/i)
    await form('category', '1')
    await link('restaurants', 'Chez Alice')
    await save()
    const { restaurants } = await read('categories/1?populate=restaurants&publicationState=preview')
    expect(idsOf(restaurants)).toContain(1)
    editedIn('menu', ['restaurant'])
    editedIn('category', ['restaurants'])
  })

  test('a link to a draft is shown, and stays when another is added', async () => {
    const before = await read('categories/27?populate=restaurants&publicationState=preview')
    const live = await read('categories/27?populate=restaurants')
    expect(idsOf(live['restaurants']).length).toBeLessThan(idsOf(before['restaurants']).length)
    await form('category', '27')
    await link('restaurants', 'Chez Alice')
    await save()
    const after = await read('categories/27?populate=restaurants&publicationState=preview')
    expect(idsOf(after['restaurants'])).toEqual([...idsOf(before['restaurants']), 1])
  })

  test('a dynamic zone with components in components and relations', async () => {
    await form('article', '2')
    const before = (await read('articles/2?populate=sections&publicationState=preview'))[
      'sections'
    ] as unknown[]
    const zone = opened.group('sections')
    const add = async (component: string): Promise<void> => {
      await zone.getByRole('button', { name: 'Add to Sections' }).click()
      await zone
        .getByRole('list', { name: 'Kinds for Sections' })
        .getByRole('button', { name: component })
        .click()
    }
    await add('Hero')
    const hero = `sections-${before.length}`
    await fill({ [`${hero}-title`]: 'A hero' })
    await opened.group('cta').last().getByRole('button', { name: 'Add Cta' }).click()
    await fill({ [`${hero}-cta-label`]: 'Read' })
    await add('Featured')
    const featured = `sections-${before.length + 1}`
    await fill({ [`${featured}-title`]: 'Also' })
    await link(`${featured}-articles`, 'The 50%_off')
    await save()
    const { sections } = await read(
      'articles/2?populate[sections][on][page.hero][populate]=*&populate[sections][on][page.featured][populate]=*&publicationState=preview',
    )
    expect((sections as { __component: string; title?: string }[]).slice(-2)).toMatchObject([
      { __component: 'page.hero', title: 'A hero', cta: { label: 'Read' } },
      { __component: 'page.featured', title: 'Also', articles: { data: [{ id: expect.any(Number) }] } },
    ])
    editedIn('article', ['sections'])
  })

  test('relations that may lead to any type', async () => {
    await form('note', '2')
    await page.getByLabel('Content-type for Link').selectOption('api::tag.tag')
    await link('link', 'vegan')
    await page.getByLabel('Content-type for Attachments').selectOption('plugin::upload.file')
    await link('attachments', 'red.png')
    await page.getByLabel('Content-type for Attachments').selectOption('plugin::users-permissions.user')
    await link('attachments', 'alice')
    await page.getByLabel('Content-type for Attachments').selectOption('api::restaurant.restaurant')
    await link('attachments', 'Chez Alice')
    await save()
    const path = 'notes/2?populate=*&publicationState=preview'
    expect(await read(path)).toMatchObject({
      link: { __type: 'api::tag.tag', name: 'vegan' },
      attachments: [
        { __type: 'plugin::upload.file', name: 'red.png' },
        { __type: 'plugin::users-permissions.user', username: 'alice' },
        { __type: 'api::restaurant.restaurant', id: expect.any(Number) },
      ],
    })
    await unlink('attachments', 'red.png')
    await unlink('link', 'vegan')
    await save()
    const { link: none, attachments } = await read(path)
    expect([none, (attachments as unknown[]).length]).toEqual([null, 2])
    editedIn('note', ['link', 'attachments'])
    expect(await opened.faults()).toEqual([])
  })

  test('what the API refuses stands beside its field, in components, too', async () => {
    await form('constraint-lab', 'new')
    await opened.group('box').first().getByRole('button', { name: 'Add Box' }).click()
    await fill({ short_text: 'x', int_range: '11', 'box-title': 'much too long' })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    for (const name of ['label', 'short_text', 'int_range', 'box-title'])
      await page
        .locator('div.field', { has: opened.field(name) })
        .getByRole('alert')
        .first()
        .waitFor()
    expect(await opened.faults()).toEqual([])
  })

  test('copies keep the original as it is', async () => {
    const before = await read('restaurants/2?populate=*&publicationState=preview')
    await form('restaurant', '2')
    await page.getByText('More actions').click()
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await expect.poll(() => opened.field('name').inputValue()).toBe('chez alice')
    expect(await opened.field('slug').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Create a draft' }).click()
    await page.waitForURL(/restaurant\/\d+$/)
    const id = /\d+$/.exec(page.url())?.[0]
    const copy = await read(`restaurants/${id}?populate=*&publicationState=preview`)
    expect(copy).toMatchObject({ name: 'chez alice', seats: before['seats'], publishedAt: null })
    expect(idsOf(copy['categories'])).toEqual(idsOf(before['categories']))
    expect(idsOf(copy['photos'])).toEqual(idsOf(before['photos']))
    expect(copy['opening_hours']).toHaveLength((before['opening_hours'] as unknown[]).length)
    expect(await read('restaurants/2?populate=*&publicationState=preview')).toEqual(before)
  })

  test('entries are copied, published and deleted together', async () => {
    await opened.open('data/daily-special')
    const choose = async (): Promise<void> => {
      const boxes = page.locator('tbody').getByRole('checkbox')
      for (const index of [0, 1]) await boxes.nth(index).check()
    }
    await page.getByText('40 entries').waitFor()
    await choose()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText('42 entries').waitFor()
    await choose()
    await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
    await expect
      .poll(() => read('daily-specials/2?publicationState=preview'))
      .toMatchObject({ publishedAt: null })
    await page.getByText('2 chosen').waitFor({ state: 'detached' })
    await choose()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect
      .poll(() => read('daily-specials/2?publicationState=preview'))
      .toMatchObject({ publishedAt: expect.any(String) })
    await page.getByText('2 chosen').waitFor({ state: 'detached' })
    await choose()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 2 entries' }).click()
    await page.getByText('40 entries').waitFor()
  })

  test('a draft is made without what is required, and published with it', async () => {
    await form('draft-lab', 'new')
    await fill({ label: 'a draft' })
    await page.getByRole('button', { name: 'Create a draft' }).click()
    await page.waitForURL(/draft-lab\/\d+$/)
    await page.getByText('draft', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page
      .locator('.field', { has: opened.field('int_range') })
      .getByRole('alert')
      .waitFor()
  })

  test('a single type, in several locales', async () => {
    await opened.open('data/homepage')
    await opened.field('headline').waitFor()
    await fill({ headline: 'A headline' })
    await save()
    await page.getByRole('link', { name: 'fr', exact: true }).click()
    await expect.poll(() => opened.field('headline').inputValue()).not.toBe('A headline')
    await fill({ headline: 'Un titre' })
    await page.getByRole('button', { name: /^(Save|Save draft|Create and publish)$/ }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
    expect(await read('homepage?publicationState=preview')).toMatchObject({ headline: 'A headline' })
    expect(await read('homepage?locale=fr&publicationState=preview')).toMatchObject({ headline: 'Un titre' })
  })

  test('no type of attribute was left out, and nothing went wrong', () => {
    const all = Object.values(declared.contentTypes).flatMap(({ attributes }) =>
      Object.values(attributes).map(kindOf),
    )
    expect([...new Set(all)].filter((kind) => !edited.has(kind))).toEqual([])
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})

function labelIn(entry: Record<string, unknown>, name: string, label: string): unknown {
  return (entry[name] as { data: { attributes: Record<string, unknown> } | null }).data?.attributes[label]
}

/** A PNG of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
