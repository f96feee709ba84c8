// The page of the media library in a real browser: files are sent, described, replaced and deleted.

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const config = {
  dialect: 'strapi-5',
  console: true,
  contentTypes: {
    note: { attributes: { title: 'string', paper: { type: 'media' } } },
  },
}

describe.skipIf(withoutChromium('the media library'))('in chromium', () => {
  let opened: ConsolePage
  beforeAll(async () => {
    opened = await startConsole(config)
  })
  afterAll(() => opened?.close())

  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

  test('a file is sent, and its texts are written', async () => {
    const { page, cms } = opened
    await opened.open('media')
    await page.getByText('There is no such file').waitFor()
    expect(await opened.faults()).toEqual([])
    await page
      .getByRole('region', { name: 'Media library' })
      .locator('input[type=file]')
      .setInputFiles(file('first.txt', 'one'))
    const details = page.getByRole('complementary', { name: 'The file first.txt' })
    await details.getByLabel('Alternative text').fill('A note')
    await details.getByRole('button', { name: 'Save' }).click()
    await details.getByText('Saved.').waitFor()
    const [stored] = await cms.entries('plugin::upload.file').findMany()
    expect(stored).toMatchObject({ name: 'first.txt', alternativeText: 'A note' })
    expect(await opened.faults()).toEqual([])
  })

  test.each([
    ['pasted', 'paste', 'ClipboardEvent', 'clipboardData'],
    ['dropped', 'drop', 'DragEvent', 'dataTransfer'],
  ])('files are %s', async (name, event, kind, member) => {
    const { page } = opened
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['text'], '${name}.txt', { type: 'text/plain' }))
      const library = document.querySelector('[aria-label="Media library"]')
      library.dispatchEvent(new ${kind}('${event}', { ${member}: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByRole('option', { name: new RegExp(`${name}\\.txt`) }).waitFor()
    await page.getByRole('option', { name: /first\.txt/ }).click()
  })

  test('the entries that use it are linked, and another file takes its place', async () => {
    const { page, cms } = opened
    const [stored] = await cms.entries('plugin::upload.file').findMany({ filters: { name: 'first.txt' } })
    await cms.entries('note').create({ title: 'The paper', paper: Number(stored?.id) })
    await opened.open('home')
    await opened.open('media')
    await page.getByRole('option', { name: /first\.txt/ }).click()
    const details = page.getByRole('complementary', { name: 'The file first.txt' })
    await details.getByRole('link', { name: 'Note: The paper' }).waitFor()
    await details.locator('input[type=file]').setInputFiles(file('second.txt', 'two, and longer'))
    await page.getByText('Replaced.').waitFor()
    const text = await (await cms.fetch(String(stored?.['url']))).text()
    expect(text).toBe('two, and longer')
  })

  test('the focal point of an image is set by a click, moved by keys, and removed', async () => {
    const { page, cms } = opened
    const background = { r: 200, g: 40, b: 40 }
    const picture = sharp({ create: { width: 200, height: 100, channels: 3, background } })
    await page
      .getByRole('region', { name: 'Media library' })
      .locator('input[type=file]')
      .setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() })
    const details = page.getByRole('complementary', { name: 'The file red.png' })
    const point = details.getByRole('slider', { name: 'Focal point' })
    const save = async (): Promise<unknown> => {
      await details.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => details.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      const [stored] = await cms.entries('plugin::upload.file').findMany({ filters: { name: 'red.png' } })
      return stored?.['focalPoint']
    }
    const getText = () => point.getAttribute('aria-valuetext')
    expect(await getText()).toBe('not set')
    expect(await opened.faults()).toEqual([])
    const { width = 0, height = 0 } = (await details.locator('img').boundingBox()) ?? {}
    await details.locator('img').click({ position: { x: width * 0.4, y: height * 0.3 } })
    expect(await getText()).toBe('x 40 %, y 30 %')
    for (const key of ['ArrowRight', 'ArrowUp', 'Shift+ArrowLeft', 'Shift+ArrowDown'])
      await page.keyboard.press(key)
    expect(await getText()).toBe('x 31 %, y 39 %')
    for (let count = 0; count < 7; count += 1) await page.keyboard.press('Shift+ArrowDown')
    expect(await getText()).toBe('x 31 %, y 100 %')
    expect(await opened.faults()).toEqual([])
    expect(await save()).toEqual({ x: 31, y: 100 })
    await details.getByRole('button', { name: 'Remove the focal point' }).click()
    expect(await getText()).toBe('not set')
    expect(await save()).toBeNull()
    expect(opened.complaints).toEqual([])
  })

  test('it is deleted after a question', async () => {
    const { page, cms } = opened
    await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog')
    expect(await opened.faults()).toEqual([])
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    expect(await cms.entries('plugin::upload.file').count()).toBe(3)
  })
})
