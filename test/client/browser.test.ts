// The client that `cms-run client` writes, in a real browser: a page of another origin loads it as it is, and asks a
// server whose CORS settings are the defaults.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { runCommand } from '../support/run-command.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const config = `
contentTypes:
  article: { drafts: true, attributes: { title: string!, author: author, tags: [tag] } }
  author: { attributes: { name: string! } }
  tag: { attributes: { name: string } }
singleTypes:
  home: { title: string }
public: [article.find, article.findOne, author.find, home.find]
auth:
  roles: { authenticated: { permissions: ['article.*', 'tag.*'] } }
plugins: { users-permissions: { config: { jwtSecret: 0123456789abcdef0123456789abcdef } } }
users: [{ username: ann, email: ann@example.com, password: secret-of-ann }]
data:
  authors: [{ name: Ann }]
  articles: [{ title: 'Fish & chips, 50 % more – größer', author: Ann }, { title: Other }]
  home: [{ title: Welcome }]
`

const HTML = `<!doctype html><link rel="icon" href="data:,"><title>site</title><script type="module">
  import { createClient } from './client.mjs'
  globalThis.client = createClient({ url: new URLSearchParams(location.search).get('cms') })
</script>`

/** What the page is asked to do with the client. */
type Call = readonly [name: string, ...values: unknown[]]

describe.skipIf(withoutChromium('the client in a browser'))('in chromium', () => {
  let cms: Cms
  let site: Server
  let browser: Browser
  let page: Page
  let url: string
  const complaints: string[] = []

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-run-browser-'))
    const file = join(folder, 'cms.yaml')
    writeFileSync(file, config)
    const { code, err } = await runCommand(['client', file, '--out', 'client.mjs'], { cwd: folder })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const script = readFileSync(join(folder, 'client.mjs'))
    site = createServer((request, response) => {
      const isScript = request.url === '/client.mjs'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : HTML)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    cms = await createCms(file, { env: {} })
    url = (await cms.listen(0, '127.0.0.1')).url
    browser = await launchChromium()
    page = await browser.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(
      `http://127.0.0.1:${(site.address() as AddressInfo).port}/?cms=${encodeURIComponent(url)}`,
    )
    await page.waitForFunction('globalThis.client')
  })
  afterAll(async () => {
    await browser?.close()
    await cms?.close()
    site?.close()
  })

  /** `collection articles find`, for example; answers what it resolves with, or the error. */
  function ask(of: Call | undefined, call: Call): Promise<unknown> {
    return page.evaluate(
      async ([routes, [name, ...values]]) => {
        const { client } = globalThis as unknown as {
          client: Record<string, (...given: unknown[]) => object>
        }
        const holder = routes === undefined ? client : client[routes[0]]?.(...routes.slice(1))
        try {
          return await (holder as typeof client)[name]?.(...values)
        } catch (error) {
          const {
            name: kind,
            message,
            status,
            details,
          } = error as Error & { status: number; details: object }
          return { kind, message, status, details }
        }
      },
      [of, call] as const,
    )
  }
  const articles: Call = ['collection', 'articles']

  test('finds by a question, with what it populates', async () => {
    const question = {
      filters: { $or: [{ title: { $contains: '& chips, 50 %' } }, { author: { name: 'Nobody' } }] },
      populate: ['author'],
      sort: ['title:desc'],
      pagination: { page: 1, pageSize: 5 },
    }
    expect(await ask(articles, ['find', question])).toMatchObject({
      data: [
        {
          id: 1,
          attributes: {
            title: 'Fish & chips, 50 % more – größer',
            author: { data: { attributes: { name: 'Ann' } } },
          },
        },
      ],
      meta: { pagination: { page: 1, pageSize: 5, pageCount: 1, total: 1 } },
    })
    expect(await ask(['single', 'home'], ['find'])).toMatchObject({
      data: { attributes: { title: 'Welcome' } },
    })
  })

  test('is refused as Strapi refuses', async () => {
    const error = await ask(articles, ['create', { title: 'No' }])
    expect(error).toMatchObject({ kind: 'ForbiddenError', message: 'Forbidden', status: 403 })
    const wrong = await ask(undefined, ['login', { identifier: 'ann', password: 'wrong' }])
    expect(wrong).toMatchObject({ kind: 'ValidationError', status: 400 })
  })

  test('logs in, and writes with the token that it keeps', async () => {
    const session = await ask(undefined, ['login', { identifier: 'ann', password: 'secret-of-ann' }])
    expect(session).toMatchObject({ user: { username: 'ann' } })
    // The test itself hands the password to the browser.
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
    expect(await ask(undefined, ['me'])).toMatchObject({ username: 'ann' })
    const created = (await ask(articles, ['create', { title: 'New' }])) as { data: { id: number } }
    const { id } = created.data
    const changed = await ask(articles, ['update', id, { title: 'Newer', publishedAt: null }])
    expect(changed).toMatchObject({ data: { attributes: { title: 'Newer', publishedAt: null } } })
    expect(await ask(articles, ['create', { title: null }])).toMatchObject({
      kind: 'ValidationError',
      details: { errors: [{ path: ['title'] }] },
    })
    expect(await ask(articles, ['delete', id])).toMatchObject({ data: { id } })
    expect(await ask(articles, ['findOne', id])).toMatchObject({ kind: 'NotFoundError', status: 404 })
  })

  test('without complaints of the page', () => {
    expect(complaints).toEqual([])
  })
})
