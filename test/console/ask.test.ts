// The page Ask in a real browser: questions several levels deep, and GraphiQL.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const relation = (kind: string, name: string, more = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...more,
})
const config = {
  console: true,
  // Of Strapi 4's answers, each level takes three.
  plugins: { graphql: { config: { depthLimit: 20 } } },
  components: {
    'page.title': { attributes: { text: { type: 'string', required: true } } },
    'page.book': { attributes: { text: 'string', book: relation('oneToOne', 'book') } },
  },
  contentTypes: {
    book: {
      attributes: {
        title: 'string',
        author: relation('manyToOne', 'author', { inversedBy: 'books' }),
        body: { type: 'dynamiczone', components: ['page.title', 'page.book'] },
      },
    },
    author: {
      attributes: {
        name: 'string',
        books: relation('oneToMany', 'book', { mappedBy: 'author' }),
        town: relation('manyToOne', 'town'),
      },
    },
    town: { attributes: { name: 'string', land: relation('manyToOne', 'land') } },
    land: { attributes: { name: 'string' } },
  },
  auth: { roles: { public: { permissions: ['book.find'] } } },
  data: {
    land: [{ id: 1, name: 'France' }],
    town: [{ id: 1, name: 'Brest', land: 1 }],
    author: [
      { id: 1, name: 'Ann', town: 1 },
      { id: 2, name: 'Bob' },
    ],
    book: [
      { id: 1, title: 'One', author: 1, body: [{ __component: 'page.book', text: 'see', book: 2 }] },
      { id: 2, title: 'Two', author: 2, body: [{ __component: 'page.title', text: 'A title' }] },
    ],
  },
}

describe.skipIf(withoutChromium('the page Ask')).each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    opened = await startConsole({ ...config, dialect })
    page = opened.page
    await opened.open('ask?type=book')
  })
  afterAll(() => opened?.close())
  const answer = () => page.getByRole('region', { name: 'Answer' })
  const ask = () => page.getByRole('button', { name: 'Ask', exact: true }).click()

  test('relations are populated and filtered by at three levels', async () => {
    for (const path of ['author', 'author.town', 'author.town.land', 'body', 'body.page.book.book'])
      await page.getByLabel(path, { exact: true }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Attribute', { exact: true }).selectOption('author')
    await page.getByLabel('Attribute of author', { exact: true }).selectOption('town')
    await page.getByLabel('Attribute of author.town', { exact: true }).selectOption('land')
    await page.getByLabel('Attribute of author.town.land', { exact: true }).selectOption('name')
    await page.getByLabel('Value').fill('fran')
    await page.getByLabel('Sort by', { exact: true }).selectOption('author')
    expect(await page.getByLabel(/^Request/).inputValue()).toContain(
      'filters[author][town][land][name][$containsi]=fran&sort=author.name%3Aasc',
    )
    await ask()
    await answer().getByText('200').first().waitFor()
    const shown = await answer().locator('pre').first().innerText()
    expect(shown).toMatch(/"One"[\s\S]*"Ann"[\s\S]*"Brest"[\s\S]*"France"/)
    expect(shown).toContain('"Two"')
    expect(await answer().innerText()).toMatch(/SEARCH|SCAN/)
    expect(await opened.faults()).toEqual([])
  })

  test('the same in GraphQL', async () => {
    await page.getByLabel(/^API/).selectOption('graphql')
    await ask()
    await answer().getByText('"books"').first().waitFor()
    const shown = await answer().locator('pre').first().innerText()
    expect(shown).not.toContain('"errors"')
    expect(shown).toMatch(/"One"[\s\S]*"Ann"[\s\S]*"Brest"[\s\S]*"France"/)
    expect(shown).toMatch(/"ComponentPageBook"[\s\S]*"Two"/)
  })

  test('a write says why it has no plan', async () => {
    const path =
      dialect === 'strapi-5'
        ? 'mutation { createLand(data: {name: "Spain"}) { name } }'
        : 'mutation { createLand(data: {name: "Spain"}) { data { id } } }'
    await page.getByLabel(/^Request/).fill(path)
    await ask()
    await answer().getByText('No plan: it writes: only reads are explained.').first().waitFor()
  })

  test('GraphiQL opens with the question, and asks as somebody', async () => {
    await page.getByLabel(/^API/).selectOption('graphiql')
    const frame = page.frameLocator('iframe[title=GraphiQL]')
    await frame.locator('.graphiql-query-editor .CodeMirror').waitFor()
    const run = async (): Promise<void> => frame.locator('.graphiql-execute-button').click()
    const result = frame.locator('.result-window')
    await run()
    await result.getByText('"France"').waitFor()
    await page.getByLabel('Caller').selectOption('nobody')
    await run()
    await result.getByText('"France"').waitFor({ state: 'detached' })
    // Nothing of the question is lost by another caller.
    expect(await frame.locator('.graphiql-query-editor').innerText()).toContain('town')
  })

  test('nothing was asked of another host, and nothing went wrong', () => {
    expect([...opened.hosts]).toEqual([opened.origin])
    expect(opened.complaints).toEqual([])
  })
})
