// Pictures of the console for the documentation: `npm run screenshots` writes docs/images from the sample.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createCms } from '../src/index.ts'
import { launchChromium } from '../test/support/chromium.ts'

const folder = join(import.meta.dirname, '../docs/images')

/** What is shown, by the name of its picture. */
const views: readonly (readonly [string, string])[] = [
  ['home', '#/'],
  ['data', '#/data/restaurant'],
  ['entry', '#/data/restaurant/1'],
  ['model', '#/model'],
  ['ask', '#/ask'],
  ['reference', '#/reference'],
  ['access', '#/access'],
  ['live', '#/live'],
  ['file', '#/file'],
]

const only = process.argv[2]
const into = process.argv[3] ?? folder
mkdirSync(into, { recursive: true })
const sample = parse(readFileSync('cms.yaml', 'utf8')) as Record<string, unknown>
const cms = await createCms({ ...sample, plugins: { graphql: true }, console: true }, { env: {} })
const { url, consoleUrl = '' } = await cms.listen(0, '127.0.0.1')
const browser = await launchChromium()
try {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
    page.on('pageerror', (error) => console.error(error))
    page.on('console', (message) => message.type() === 'error' && console.error(message.text()))
    await page.goto(consoleUrl)
    for (const [name, address] of views) {
      if (only !== undefined && !only.split(',').includes(name)) continue
      await page.goto(`${url}/${address}`)
      await page.waitForSelector('main h1')
      await page.waitForLoadState('networkidle')
      const kind = width < 600 ? '-phone' : colorScheme === 'dark' ? '-dark' : ''
      await page.screenshot({ path: join(into, `console-${name}${kind}.png`) })
    }
    await page.close()
  }
} finally {
  await browser.close()
  await cms.close()
}
