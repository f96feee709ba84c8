// The console of a running CMS in a real browser, with its key. What the browser asks and complains about is kept.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium } from './chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface ConsolePage {
  readonly cms: Cms
  readonly page: Page
  readonly origin: string
  readonly consoleUrl: string
  /** Origins of every request of the page. */
  readonly hosts: ReadonlySet<string>
  /** Errors of its scripts and of the browser's policies; refused payloads are none. */
  readonly complaints: readonly string[]
  /** Takes complaints away that a test has caused. */
  forget(these: readonly string[]): void
  /** Opens the console with its key. */
  enter(): Promise<void>
  /** Leaves the page with everything unsaved, and opens the console again. */
  startOver(): Promise<void>
  /** Opens a page: `data/article`. */
  open(address: string): Promise<void>
  /** The input of an attribute in a form; within components the path is joined by `-`. */
  field(name: string): Locator
  /** The part of a form that belongs to a component or dynamic zone. */
  group(name: string): Locator
  /** Faults that axe finds, as rule and element. */
  faults(): Promise<readonly string[]>
  /** Closes the browser and the CMS. */
  close(): Promise<void>
}

/** The console of a configuration, entered with its key. */
export async function startConsole(config: Readonly<Record<string, unknown>>): Promise<ConsolePage> {
  const opened = await openConsolePage(await createCms(config, { env: {} }))
  await opened.enter()
  return opened
}

export async function openConsolePage(cms: Cms): Promise<ConsolePage> {
  const { url: origin, consoleUrl = '' } = await cms.listen(0, '127.0.0.1')
  const browser = await launchChromium()
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  ).newPage()
  const hosts = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[04]/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    ...{ cms, page, origin, consoleUrl, hosts, complaints },
    forget(these) {
      const others = complaints.filter((complaint) => !these.includes(complaint))
      complaints.splice(0, complaints.length, ...others)
    },
    async enter() {
      await page.goto(consoleUrl)
      await page.getByRole('heading', { name: new URL(origin).host }).waitFor()
    },
    async startOver() {
      page.once('dialog', (question) => void question.accept())
      await page.goto('about:blank')
      await page.goto(consoleUrl)
      await page.evaluate('localStorage.clear()')
      await page.reload()
    },
    open: async (address) => {
      await page.goto(`${origin}/#/${address}`)
    },
    field: (name) => page.locator(`#field-${name}`),
    group: (name) => page.locator('fieldset.field', { has: page.locator(`> legend:has-text("${name}")`) }),
    async faults() {
      // As a debugger would, which the page's policy does not forbid.
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[]
      }
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    async close() {
      await browser.close()
      await cms.close()
    },
  }
}
