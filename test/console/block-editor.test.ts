// The editor of blocks: nothing is lost between blocks and its documents, and in a browser it is written with the keyboard
// and with its buttons.

import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toBlocks, toDocument } from '../../src/console/browser/blocks/convert.ts'
import type { Cms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, startConsole } from '../support/console-page.ts'

const text = (value: string, more: object = {}) => ({ type: 'text', ...more, text: value })
const link = { type: 'link', rel: 'nofollow', url: 'https://example.com', children: [text('to')] }
const everything = [
  {
    type: 'paragraph',
    children: [text('plain '), text('bold', { bold: true, colour: 'red' }), link, text('!')],
  },
  {
    type: 'heading',
    anchor: 'top',
    level: 3,
    children: [text('Heading', { italic: true, underline: true })],
  },
  {
    type: 'list',
    format: 'ordered',
    children: [
      { type: 'list-item', children: [text('one')] },
      {
        type: 'list',
        format: 'unordered',
        indentLevel: 1,
        children: [
          { type: 'list-item', children: [text('in one', { strikethrough: true })] },
          { type: 'task' },
        ],
      },
    ],
  },
  { type: 'quote', children: [text('said')] },
  { type: 'code', language: 'sql', children: [text('select 1\nfrom t')] },
  { type: 'image', image: { url: '/a.png', name: 'a.png' }, children: [text('')] },
  { type: 'paragraph', children: [{ type: 'mention', user: 4 }] },
  { type: 'video', src: '/a.mp4', children: [] },
  'no block at all',
]

test('blocks come back as they were, edited or not', () => {
  const origins = new WeakMap()
  expect(toBlocks(toDocument(everything, origins), origins)).toEqual(everything)
  // As if every block had been edited: nothing is known of where it came from.
  expect(toBlocks(toDocument(everything, new WeakMap()), new WeakMap())).toEqual(everything)
  for (const none of [null, undefined])
    expect(toBlocks(toDocument(none, new WeakMap()), new WeakMap())).toBeNull()
})

test('whatever a block is, it comes back', () => {
  const type = fc.constantFrom(
    'paragraph',
    'heading',
    'list',
    'list-item',
    'code',
    'image',
    'link',
    'text',
    'other',
  )
  const { node } = fc.letrec((tie) => ({
    node: fc.record(
      {
        type,
        text: fc.oneof(fc.string(), fc.integer()),
        level: fc.integer({ min: 0, max: 7 }),
        format: fc.constantFrom('ordered', 'unordered', 'none'),
        url: fc.string(),
        bold: fc.constantFrom(true, 1, null),
        extra: fc.jsonValue(),
        children: fc.array(tie('node'), { maxLength: 3 }),
      },
      { requiredKeys: ['type'] },
    ),
  }))
  fc.assert(
    fc.property(fc.array(fc.oneof(node, fc.jsonValue()), { minLength: 1 }), (blocks) => {
      const origins = new WeakMap()
      expect(toBlocks(toDocument(blocks, origins), origins)).toEqual(blocks)
    }),
  )
})

describe.skipIf(withoutChromium('the editor of blocks'))('in chromium', () => {
  let cms: Cms
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    opened = await startConsole({
      console: true,
      contentTypes: { note: { attributes: { body: 'blocks', more: 'json' } } },
      data: { note: [{ id: 1, body: [everything[0], everything[1], everything[3], everything[4]] }] },
    })
    ;({ cms, page } = opened)
  })
  afterAll(() => opened?.close())
  const bodyOf = async (id: number): Promise<unknown> =>
    ((await cms.entries('note').findOne(id)) as { body?: unknown } | null | undefined)?.body

  test('blocks are written with keys and buttons, and read back', async () => {
    await opened.open('data/note/new')
    const editor = page.getByRole('textbox', { name: 'Body' })
    await editor.click()
    await page.keyboard.type('## A heading\nplain ')
    await page.getByRole('button', { name: 'Bold', exact: true }).click()
    await page.keyboard.type('bold')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' see ')
    await page.keyboard.press('Control+k')
    await page.getByLabel('Address of the link').fill('nonsense')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('This is no address').waitFor()
    await page.getByLabel('Address of the link').fill('/there')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('\n- one\ntwo')
    await page.keyboard.press('Control+]')
    await page.keyboard.type('\n')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('words of others')
    await page.getByLabel('Kind of block in Body').selectOption('quote')
    expect(await opened.faults()).toEqual([])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/note\/2$/)
    expect(await bodyOf(2)).toEqual([
      { type: 'heading', level: 2, children: [text('A heading')] },
      {
        type: 'paragraph',
        children: [
          text('plain '),
          text('bold', { bold: true }),
          text(' see '),
          { type: 'link', url: '/there', children: [text('/there')] },
        ],
      },
      {
        type: 'list',
        format: 'unordered',
        children: [
          { type: 'list-item', children: [text('one')] },
          {
            type: 'list',
            format: 'unordered',
            indentLevel: 1,
            children: [{ type: 'list-item', children: [text('two')] }],
          },
        ],
      },
      { type: 'quote', children: [text('words of others')] },
    ])
  })

  test('an edit of one block leaves the others as they were', async () => {
    const before = (await bodyOf(1)) as readonly unknown[]
    await opened.open('data/note/1')
    await page.getByRole('textbox', { name: 'Body' }).getByText('said').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' so')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^ ?Saved \d/ })
      .waitFor()
    const after = (await bodyOf(1)) as readonly unknown[]
    expect(after[2]).toEqual({ type: 'quote', children: [text('said so')] })
    expect(after.toSpliced(2, 1)).toEqual(before.toSpliced(2, 1))
    await page.keyboard.press('Tab')
    expect(opened.complaints).toEqual([])
  })

  test('arrow keys lead from button to button', async () => {
    await page.getByRole('button', { name: 'Bold', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.activeElement.title')).toBe('Italic')
    await page.keyboard.press('End')
    expect(await page.evaluate('document.activeElement.title')).toBe('Redo')
  })

  test('what is wrong with JSON is said with its place', async () => {
    await opened.field('more').fill('{\n  "a": 1,\n  b: 2\n}')
    await page.getByText('line 3, column 3').waitFor()
    await page.getByRole('button', { name: 'Show the place' }).click()
    const marked = await page.evaluate(
      "document.querySelector('.code-input').shadowRoot.querySelector('.cm-content').getRootNode().activeElement.id",
    )
    expect(marked).toBe('field-more')
    await page.keyboard.type('"b"')
    await page.getByText('not JSON yet').waitFor({ state: 'detached' })
    expect(await opened.faults()).toEqual([])
  })
})
