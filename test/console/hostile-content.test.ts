// Content that tries to become code in the console: in every attribute, in a file's name, and in the name of a user.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { withoutChromium } from '../support/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/console-page.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const PASSWORD = 'long-enough-1'
const MARKUP =
  '<img src=x onerror="window.broken=1"><script>window.broken=2</script>"\'><svg onload=window.broken=3>'
const ADDRESS = 'javascript:window.broken=4'

const text = (value: string): unknown => ({ type: 'text', text: value })
const content = {
  title: MARKUP,
  note: `${MARKUP}\n${ADDRESS}`,
  story: `${MARKUP}\n\n[click](${ADDRESS}) ![x](${ADDRESS}) <a href="${ADDRESS}">x</a>`,
  page: [
    { type: 'paragraph', children: [text(MARKUP), { type: 'link', url: ADDRESS, children: [text(MARKUP)] }] },
    { type: 'code', language: MARKUP, children: [text(MARKUP)] },
  ],
  extra: { [MARKUP]: MARKUP },
  mail: 'a@example.com',
  inner: { word: MARKUP },
  zone: [{ __component: 'part.inner', word: MARKUP }],
  friend: { connect: [1] },
}

const config = {
  console: true,
  jwtSecret: 'a-secret-of-a-test-that-is-long-enough-0123456789',
  contentTypes: {
    note: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        note: 'text',
        story: 'richtext',
        page: 'blocks',
        extra: 'json',
        mail: 'email',
        inner: { type: 'component', component: 'part.inner' },
        zone: { type: 'dynamiczone', components: ['part.inner'] },
        friend: { type: 'relation', relation: 'manyToOne', target: 'api::friend.friend' },
        photo: { type: 'media' },
        photos: { type: 'media', multiple: true },
      },
    },
    friend: { attributes: { name: 'string' } },
  },
  components: { 'part.inner': { attributes: { word: 'string' } } },
  data: { friend: [{ id: 1, name: MARKUP }] },
  auth: {
    roles: {
      editor: {
        console: true,
        name: MARKUP,
        permissions: ['note.*', 'friend.*', 'plugin::upload.*', 'plugin::users-permissions.user.find'],
      },
    },
    users: [{ username: MARKUP.slice(0, 60), email: 'ann@example.com', password: PASSWORD, role: 'editor' }],
  },
}

describe.skipIf(withoutChromium('hostile content in the console'))('in chromium', () => {
  let opened: ConsolePage
  const violations: string[] = []
  beforeAll(async () => {
    const cms = await createCms(config, { env: {} })
    opened = await openConsolePage(cms)
    const { page, origin } = opened
    await page.exposeFunction('noteViolation', (name: string) => violations.push(name))
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => noteViolation(event.violatedDirective + ' ' + event.blockedURI))`,
    )
    const as = cms.as({ role: 'editor' })
    const form = new FormData()
    // A picture with code; markup in the name of a file is refused, and is possible in its texts.
    form.append(
      'files',
      new Blob(
        [
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.broken=5"><rect width="9" height="9"/></svg>',
        ],
        {
          type: 'image/svg+xml',
        },
      ),
      "x' onerror=window.broken=6 y.svg",
    )
    const sent = await as('/api/upload', { method: 'POST', body: form })
    expect(sent.status, await sent.clone().text()).toBe(200)
    const [file] = (await sent.json()) as { id: number }[]
    const texts = { alternativeText: MARKUP, caption: MARKUP }
    await as(`/api/upload?id=${file?.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fileInfo: texts }),
    })
    await cms
      .entries('note')
      .create({ ...content, ...(file !== undefined && { photo: file.id, photos: [file.id] }) })
    await page.goto(origin)
    await page.getByLabel('E-mail or user name').fill('ann@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().waitFor()
  })
  afterAll(() => opened?.close())
  afterEach(() => {
    expect(takeLeaks().filter(({ where }) => where !== 'process')).toEqual([])
  })

  test.each(['', 'data/note', 'data/friend', 'data/note/1', 'data/friend/1', 'media', 'users', 'account'])(
    'the page "%s" shows it as text',
    async (address) => {
      const { page } = opened
      await opened.open(address)
      await page.getByRole('main').getByText('onerror').first().waitFor({ state: 'attached' })
      expect(await page.evaluate('window.broken')).toBe(undefined)
      expect(
        await page.locator('main script, main [onerror], main [onload], a[href^="javascript:"]').count(),
      ).toBe(0)
      expect(violations).toEqual([])
      expect(opened.complaints).toEqual([])
    },
  )
})
