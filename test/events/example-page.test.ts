// The page of examples/live in a real browser: it shows what is written, also after the server was away.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { probePort } from '../../src/http/probe-port.ts'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'

const waiting = { timeout: 60_000, interval: 50 }
const example = join(import.meta.dirname, '../../examples/live')

describe.skipIf(withoutChromium('the page that updates itself'))('in chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-live-'))
  const database = { client: 'sqlite', filename: join(folder, 'content.db') } as const
  let cms: Cms
  let site: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    cms = await createCms(join(example, 'cms.yaml'), { env: {}, database, testing: true })
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(readFileSync(join(example, 'page.html')))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium()
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
    await cms?.close()
    rmSync(folder, { recursive: true })
  })

  async function shows(...titles: readonly string[]): Promise<void> {
    await vi.waitFor(async () => expect(await page.locator('li').allTextContents()).toEqual(titles), waiting)
  }

  test('shows articles as they are written, published on schedule and deleted', async () => {
    const port = await probePort(0, '127.0.0.1')
    const { url } = await cms.listen(port, '127.0.0.1')
    await page.goto(
      `http://127.0.0.1:${(site.address() as AddressInfo).port}/?cms=${encodeURIComponent(url)}`,
    )
    await shows('First', 'Second')
    const articles = cms.entries('article')
    await articles.update(1, { title: 'First, changed' })
    await articles.create({ title: 'Third' })
    await shows('First, changed', 'Second', 'Third')
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    await articles.create({ title: 'Fourth', publishedAt: null, publishAt: soon })
    await articles.delete(2)
    await shows('First, changed', 'Third')
    cms.advance('2h')
    await shows('First, changed', 'Third', 'Fourth')
    await cms.close()
    cms = await createCms(join(example, 'cms.yaml'), { env: {}, database, testing: true })
    await cms.entries('article').update(1, { title: 'First, again' })
    await cms.listen(port, '127.0.0.1')
    await shows('First, again', 'Third', 'Fourth')
  })
})
