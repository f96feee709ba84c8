// The frame of the console: its navigation at any width, the focus after a change of page, and the command palette.

import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const config = {
  console: true,
  contentTypes: {
    article: {
      attributes: {
        title: { type: 'string', required: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    author: { attributes: { name: 'string' } },
    'about-us': { kind: 'singleType', info: { displayName: 'About us' }, attributes: { text: 'text' } },
  },
  data: {
    article: [
      { id: 1, title: 'A walk along the harbour' },
      { id: 2, title: 'Ten soups for the winter' },
    ],
    author: [{ id: 1, name: 'Walker, Ann' }],
  },
}

describe.skipIf(withoutChromium('the frame'))('in chromium', () => {
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    opened = await startConsole(config)
    page = opened.page
  })
  afterAll(async () => {
    await opened?.close()
  })
  beforeEach(async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await opened.open('live')
    await page.getByRole('heading', { name: 'Live', level: 1 }).waitFor()
  })

  /** The name of the focused element, or its tag. */
  const focused = (): Promise<string> =>
    page.evaluate(
      "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.id || document.activeElement.textContent)",
    )
  const main = (): Promise<unknown> => expect.poll(focused).toBe('main')
  const palette = () => page.getByRole('dialog', { name: 'Search' })
  const input = () => page.getByRole('combobox', { name: /^Search pages/ })
  const options = (): Promise<readonly string[]> => palette().getByRole('option').allInnerTexts()

  test('a page for editors and one for developers are reached by their names, and get the focus', async () => {
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
    await main()
    expect(await page.title()).toBe('Data · cms-run console')
    await pages.getByRole('link', { name: 'Model' }).click()
    await page.getByRole('heading', { name: 'Model', level: 1 }).waitFor()
    await main()
    expect(await pages.getByRole('link', { name: 'Model' }).getAttribute('aria-current')).toBe('page')
    expect(await opened.faults()).toEqual([])
  })

  test('the first key of a page skips to its content', async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Live', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await main()
    expect(page.url()).toMatch(/#\/live$/)
  })

  test('on a phone a row has the name of the page and a menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const row = page.getByRole('banner')
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(56)
    expect(await row.innerText()).toBe('Live')
    const menu = page.getByRole('button', { name: 'Menu' })
    for (const button of [menu, page.getByRole('button', { name: 'Search' })]) {
      const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
      expect([width, height].every((pixels) => pixels >= 44)).toBe(true)
    }
    await menu.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Pages' })
    await panel.getByRole('link', { name: 'Access' }).waitFor()
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Menu')
    await menu.press('Enter')
    await panel.getByRole('link', { name: 'Access' }).press('Enter')
    await page.getByRole('heading', { name: 'Access', level: 1 }).waitFor()
    expect(await panel.count()).toBe(0)
    await main()
    expect(await row.innerText()).toBe('Access')
  })

  test.each(['', 'data/article', 'data/article/1', 'model', 'ask', 'reference', 'access', 'live', 'file'])(
    'on a phone the page "%s" does not scroll sideways',
    async (address) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await opened.open(address)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    },
  )

  test('palette: an entry is found and opened with the keyboard alone', async () => {
    await page.keyboard.press('Control+k')
    await expect.poll(options).toContain('Article')
    expect(await opened.faults()).toEqual([])
    await page.keyboard.type('walk')
    await expect
      .poll(options)
      .toEqual([
        expect.stringMatching(/^A walk along the harbour\s+Article$/),
        expect.stringMatching(/^Walker, Ann\s+Author$/),
      ])
    await palette().getByText('2 results').waitFor()
    expect(await opened.faults()).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/data\/author\/1$/)
    await palette().waitFor({ state: 'detached' })
    await main()
  })

  test('palette: it leads to pages, content-types and new entries', async () => {
    const go = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await input().fill(text)
      await palette()
        .getByText(/results? ·/)
        .waitFor()
      await page.keyboard.press('Enter')
    }
    await go('acc')
    await page.waitForURL(/#\/access$/)
    await go('about')
    await page.waitForURL(/#\/data\/about-us$/)
    await go('new art')
    await page.waitForURL(/#\/data\/article\/new$/)
  })

  test('palette: Escape closes it, and the focus returns', async () => {
    const button = page.getByRole('button', { name: 'Search' })
    await button.press('Enter')
    await input().fill('walk')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    expect(await focused()).toBe('Search')
  })

  test('palette: what an earlier text finds is not shown for a later one', async () => {
    const held: (() => void)[] = []
    await page.route(/_q=walk/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await input().fill('walk')
    await expect.poll(() => held.length).toBe(2)
    await input().fill('soup')
    await expect.poll(options).toEqual([expect.stringMatching(/^Ten soups/)])
    const answered = page.waitForResponse(/_q=walk/)
    for (const release of held) release()
    await answered
    await page.unroute(/_q=walk/)
    expect(await options()).toEqual([expect.stringMatching(/^Ten soups/)])
    await input().fill('nothing like it')
    await palette().getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('palette: types that could not be searched are counted, with a reason', async () => {
    const refuse = (route: Route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } })
    await page.route(/authors\?.*_q=/, refuse)
    await page.keyboard.press('Control+k')
    await input().fill('walk')
    const alert = palette().getByRole('alert')
    await alert.getByText('1 type could not be searched: Out of order').waitFor()
    await expect.poll(options).toEqual([expect.stringMatching(/^A walk along the harbour/)])
    expect(await opened.faults()).toEqual([])
    await page.route(/articles\?.*_q=/, refuse)
    await input().fill('harbour')
    await alert.getByText('2 types could not be searched: Out of order').waitFor()
    expect(await options()).toEqual([])
    expect(await palette().getByText('Nothing found.').count()).toBe(0)
    await page.unrouteAll()
    await input().fill('nothing like it')
    await palette().getByText('Nothing found.').waitFor()
    expect(await alert.count()).toBe(0)
    await page.keyboard.press('Escape')
    opened.forget(opened.complaints.filter((line) => line.includes('500')))
  })

  describe('a model that cannot be read', () => {
    const alert = () => page.getByRole('alert').filter({ hasText: 'The content-types could not be loaded' })
    const failModel = async (): Promise<void> => {
      await page.route('**/_console/model', (route) =>
        route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
      )
      await opened.open('data/article')
      await page.reload()
      await alert().getByText('Out of order').waitFor()
    }
    afterEach(() => {
      opened.forget(opened.complaints.filter((line) => /500|ERR_FAILED/.test(line)))
    })

    test('is asked for again by a click', async () => {
      await failModel()
      await page.keyboard.press('Control+k')
      await palette().getByText('Out of order').waitFor()
      await page.keyboard.press('Escape')
      await page.unrouteAll()
      await alert().getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
      expect(await alert().count()).toBe(0)
    })

    test('is asked for again when the server is back', async () => {
      await failModel()
      await page.route('**/_console/state?*', (route) => route.abort())
      await page.getByText('The server does not answer.').waitFor()
      await page.unrouteAll()
      await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
      expect(await alert().count()).toBe(0)
    })
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})
