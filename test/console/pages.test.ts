// The pages of the console in a real browser, against the sample: each shows what it should, has no fault that axe finds,
// and asks no other host for anything.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'

const root = join(import.meta.dirname, '../..')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(withoutChromium('the console'))('in chromium', () => {
  let cms: Cms
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin: string
  let consoleUrl: string
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-console-'))
  const file = join(folder, 'cms.yaml')
  const hosts = new Set<string>()
  const complaints: string[] = []

  beforeAll(async () => {
    const sample = readFileSync(join(root, 'cms.yaml'), 'utf8')
    writeFileSync(
      file,
      `${sample}
console: { edit: true }
plugins: { graphql: true }
`,
    )
    cms = await createCms(file, { env: {}, watch: true })
    const listening = await cms.listen(0, '127.0.0.1')
    origin = listening.url
    consoleUrl = listening.consoleUrl ?? ''
    browser = await launchChromium()
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(async () => {
    await browser?.close()
    await cms?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Faults that axe finds, as rule and element. */
  async function faults(): Promise<readonly string[]> {
    // As a debugger would, which the page's policy does not forbid.
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }

  test('without the key it asks for it, and takes it', async () => {
    await page.goto(origin)
    await page.waitForSelector('text=The key is missing')
    await page.fill('input[name=key]', consoleUrl)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('/api/restaurants').waitFor()
    expect(page.url()).toBe(`${origin}/`)
  })

  test('home', async () => {
    const row = page.locator('tr', { hasText: '/api/restaurants' })
    expect(await row.innerText()).toMatch(/^Restaurant\s+10\s/)
    expect(await page.innerText('main')).toContain('uWebSockets.js')
    expect(await faults()).toEqual([])
  })

  test('a file with errors shows on every page, until it is mended', async () => {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('type: integer, min: 1', 'type: intger, min: 1'))
    const frame = page.getByRole('alert', { name: 'Errors in the file' })
    await frame.waitFor()
    expect(await frame.innerText()).toMatch(/error\[[A-Z]+\d+\][\s\S]*--> .*cms\.yaml:\d+:\d+[\s\S]*\^\^\^/)
    expect(await faults()).toEqual([])
    writeFileSync(file, text)
    await frame.waitFor({ state: 'detached' })
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...hosts]).toEqual([origin])
    expect(complaints).toEqual([])
  })
})
