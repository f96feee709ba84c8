// The explorer in a real browser: it loads, runs a query, sends a token, shows the schema, and asks no other host for
// anything.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const TOKEN = 'a-token-for-the-explorer-0123456789'

describe.skipIf(withoutChromium('the explorer'))('in chromium', () => {
  let cms: Cms
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin: string
  const hosts = new Set<string>()
  const complaints: string[] = []

  beforeAll(async () => {
    cms = await createCms(
      {
        contentTypes: {
          note: { attributes: { text: 'string' } },
          secret: { attributes: { text: 'string' } },
        },
        plugins: { graphql: true },
        auth: {
          roles: { public: { permissions: ['note.find'] } },
          apiTokens: [{ name: 'explorer', type: 'full-access', token: TOKEN }],
        },
        data: {
          note: [{ id: 1, text: 'seen by everybody' }],
          secret: [{ id: 1, text: 'seen with a token' }],
        },
      },
      { env: {} },
    )
    const { port } = await cms.listen(0, '127.0.0.1')
    origin = `http://127.0.0.1:${port}`
    browser = await launchChromium()
    context = await browser.newContext()
    page = await context.newPage()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${origin}/graphql`)
    await page.waitForSelector('.graphiql-query-editor .CodeMirror')
  })
  afterAll(async () => {
    await browser?.close()
    await cms?.close()
  })

  async function write(editor: string, text: string): Promise<void> {
    await page.click(`${editor} .CodeMirror`)
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }

  async function run(): Promise<string> {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.click('.graphiql-execute-button')
    await answered
    await page.waitForSelector('.graphiql-spinner', { state: 'detached' })
    return page.innerText('.result-window')
  }

  test('runs a query', async () => {
    await write('.graphiql-query-editor', '{ notes { data { attributes { text } } } }')
    expect(await run()).toContain('seen by everybody')
  })

  /** The browser is a client: it tells us, by its pipes, the token that we typed into it. */
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  test('sends the headers of its tab', async () => {
    await write('.graphiql-query-editor', '{ secrets { data { attributes { text } } } }')
    expect(await run()).toContain('Forbidden access')
    await page.click('.graphiql-editor-tools >> text=Headers')
    await write(
      '.graphiql-editor-tool .graphiql-editor:not(.hidden)',
      `{ "Authorization": "Bearer ${TOKEN}" }`,
    )
    expect(await run()).toContain('seen with a token')
  })

  test('shows the schema', async () => {
    await page.click('[aria-label="Show Documentation Explorer"]')
    await page.click('.graphiql-doc-explorer >> text=Query')
    await page.waitForSelector('.graphiql-doc-explorer >> text=notes')
    expect(await page.innerText('.graphiql-doc-explorer')).toContain('NoteEntityResponseCollection')
  })

  test('opens its settings', async () => {
    await page.click('[aria-label="Open settings dialog"]')
    await page.waitForSelector('text=Persist headers')
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...hosts]).toEqual([origin])
    expect(complaints).toEqual([])
  })
})
