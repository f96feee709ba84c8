// Files for a component that is there already: single, in a list, in a zone, in another component; the entry around it
// is changed, by who may update it, and nothing else of it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { answerOf, form, type Part, png, text } from './open-library.ts'

const WRITER = 'w'.repeat(40)
let cms: Cms

beforeAll(async () => {
  cms = await createCms(
    {
      contentTypes: {
        page: {
          pluginOptions: { i18n: { localized: true } },
          attributes: {
            title: { type: 'string', required: true },
            seo: { type: 'component', component: 'part.seo' },
            list: { type: 'component', component: 'part.seo', repeatable: true },
            zone: { type: 'dynamiczone', components: ['part.frame', 'part.seo'] },
            hidden: { type: 'component', component: 'part.seo', private: true },
          },
        },
      },
      components: {
        'part.seo': {
          attributes: {
            text: { type: 'string', required: true },
            image: { type: 'media', allowedTypes: ['images'] },
            scans: { type: 'media', multiple: true },
          },
        },
        'part.frame': { attributes: { seo: { type: 'component', component: 'part.seo' } } },
      },
      plugins: {
        i18n: { config: { defaultLocale: 'en', locales: ['en', 'fr'] } },
        upload: { config: { provider: 'memory' } },
      },
      auth: {
        roles: { public: { permissions: ['plugin::upload.content-api.upload'] } },
        apiTokens: [
          {
            name: 'writer',
            type: 'custom',
            token: WRITER,
            permissions: ['plugin::upload.content-api.*', 'page.*'],
          },
        ],
      },
    },
    { env: {} },
  )
  const seo = (name: string) => ({ text: name })
  await cms.entries('page').create({
    title: 'one',
    seo: seo('single'),
    list: [seo('first'), seo('second'), seo('third')],
    zone: [
      { __component: 'part.seo', text: 'in zone' },
      { __component: 'part.frame', seo: seo('in frame') },
    ],
    hidden: seo('hidden'),
  })
})
afterAll(() => cms.close())

async function upload(refId: unknown, field: string, files: Part[], token: string | undefined = WRITER) {
  const parts = [
    ...files,
    { name: 'ref', value: 'part.seo' },
    { name: 'refId', value: String(refId) },
    { name: 'field', value: field },
  ]
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  return answerOf(await cms.fetch('/api/upload', { method: 'POST', headers, body: form(...parts) }))
}

type Shown = { data?: { attributes: { name: string } } | { attributes: { name: string } }[] | null }
type Found = { id: number; text: string; image?: Shown; scans?: Shown } & Record<string, unknown>

/** Every component of the page: ids by their texts, and what they show, in their order. */
async function components(): Promise<{ ids: Map<string, number>; shown: string[] }> {
  const paths = ['[seo]', '[list]', '[zone][on][part.seo]', '[zone][on][part.frame][populate][seo]']
  const query = paths.map((path) => `populate${path}[populate]=*`).join('&')
  const response = await cms.fetch(`/api/pages/1?${query}`, {
    headers: { authorization: `Bearer ${WRITER}` },
  })
  const ids = new Map<string, number>()
  const shown: string[] = []
  const names = (media: Shown | undefined): string =>
    [media?.data ?? []]
      .flat()
      .map(({ attributes }) => attributes.name)
      .join('+')
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const found = value as Found
    if (typeof found.text !== 'string') {
      Object.values(found).forEach(visit)
      return
    }
    ids.set(found.text, found.id)
    shown.push(`${found.text}: ${names(found.image)} ${names(found.scans)}`)
  }
  visit(((await response.json()) as { data: unknown }).data)
  return { ids, shown }
}

test('files go to the component, and everything beside it stays', async () => {
  const { ids, shown } = await components()
  expect(shown).toEqual(['single:  ', 'first:  ', 'second:  ', 'third:  ', 'in zone:  ', 'in frame:  '])
  for (const [name, id] of ids) {
    expect(await upload(id, 'image', [png(`${name[0]}.png`)]), name).toMatchObject({ status: 200 })
    expect(await upload(id, 'scans', [png('1.png'), text('2.txt')]), name).toMatchObject({ status: 200 })
  }
  expect((await upload(ids.get('second'), 'image', [png('new.png')])).status).toBe(200)
  expect((await upload(ids.get('in frame'), 'scans', [text('3.txt')])).status).toBe(200)
  const after = await components()
  expect(after.ids).toEqual(ids)
  expect(after.shown).toEqual([
    'single: s.png 1.png+2.txt',
    'first: f.png 1.png+2.txt',
    'second: new.png 1.png+2.txt',
    'third: t.png 1.png+2.txt',
    'in zone: i.png 1.png+2.txt',
    'in frame: i.png 1.png+2.txt+3.txt',
  ])
})

test.each<readonly [string, number, unknown, string, Part[], string]>([
  ['who may not update the entry, as if it were not there', 400, 1, 'image', [png()], ''],
  ['a component that is not there', 400, 999, 'image', [png()], WRITER],
  ['no number', 400, 'x', 'image', [png()], WRITER],
  ['an attribute that holds no media', 400, 1, 'text', [png()], WRITER],
  ['a file of the wrong kind', 400, 1, 'image', [text()], WRITER],
])('nothing is stored for %s', async (_, status, refId, field, files, token) => {
  const count = async () => (await cms.entries('plugin::upload.file').findMany()).length
  const before = await count()
  expect((await upload(refId, field, files, token)).status).toBe(status)
  expect(await count()).toBe(before)
})

test('a component in a private attribute is nobody’s to change', async () => {
  const { ids } = await components()
  const hidden = [...Array(20).keys()].filter((id) => id > 0 && ![...ids.values()].includes(id))
  const answers = await Promise.all(hidden.map((id) => upload(id, 'image', [png()])))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
})
