// Pictures of the console for the documentation: `npm run screenshots` writes docs/images from the sample.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { launchChromium } from '../../test/support/chromium.ts'

interface View {
  readonly name: string
  readonly address: string
  readonly width?: number
  readonly dark?: boolean
  /** What somebody does before the picture is taken. */
  act?(page: Page): Promise<void>
}

const views: readonly View[] = [
  { name: 'home', address: '' },
  { name: 'data', address: 'data/restaurant' },
  { name: 'entry', address: 'data/restaurant/1' },
  { name: 'entry-phone', address: 'data/restaurant/1', width: 390 },
  {
    name: 'model',
    address: 'model',
    act: (page) => page.getByRole('button', { name: /^Restaurant name/ }).click(),
  },
  {
    name: 'ask',
    address: 'ask',
    dark: true,
    async act(page) {
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByLabel('Value').fill('noodles')
      await page.getByLabel('chef', { exact: true }).check()
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.getByRole('region', { name: 'Answer' }).waitFor()
    },
  },
  {
    name: 'access',
    address: 'access',
    async act(page) {
      await page.getByRole('button', { name: /^public, .*booking.find: no$/ }).click()
      await page.getByText('nothing in').waitFor()
    },
  },
  {
    name: 'live',
    address: 'live',
    async act(page) {
      await page.evaluate(async () => {
        const paths = ['restaurants?populate=chef', 'chefs', 'bookings', 'reviews?sort=stars:desc', 'guide']
        for (let round = 0; round < 4; round += 1) {
          for (const path of paths.slice(round)) await fetch(`/api/${path}`)
          await new Promise((resolve) => setTimeout(resolve, 1000))
        }
      })
      await page.locator('tr', { hasText: '/api/guide' }).first().waitFor()
    },
  },
  { name: 'file', address: 'file' },
]

const [only, folder = join(import.meta.dirname, '../../docs/images')] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const sample = parse(readFileSync('cms.yaml', 'utf8')) as Record<string, unknown>
const cms = await createCms({ ...sample, plugins: { graphql: true }, console: true }, { env: {} })
const { url, consoleUrl = '' } = await cms.listen(0, '127.0.0.1')
const browser = await launchChromium()
try {
  for (const { name, address, width = 1280, dark = false, act } of views) {
    if (only !== undefined && !only.split(',').includes(name)) continue
    const page = await browser.newPage({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 800 },
    })
    page.on('pageerror', (error) => console.error(error))
    await page.goto(consoleUrl)
    await page.getByText('/api/restaurants').waitFor()
    await page.goto(`${url}/#/${address}`)
    await page
      .locator(`nav a[aria-current][href="#/${address.split('/')[0]}"]`)
      .waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    await page.locator('main h1').waitFor()
    await act?.(page)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `console-${name}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
  await cms.close()
}
