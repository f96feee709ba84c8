// Files for entries under rules: an entry that is not there for the caller takes none, and nothing of them is kept.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { answerOf, form, png } from './open-library.ts'

const TOKEN = 'token-of-the-test'
let directory: string
let cms: Cms

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cms-upload-rules-'))
  cms = await createCms(
    {
      plugins: { graphql: true, upload: { config: { providerOptions: { directory } } } },
      components: { 'shared.seo': { attributes: { image: { type: 'media', multiple: false } } } },
      contentTypes: {
        note: {
          attributes: {
            title: 'string',
            open: 'boolean',
            mine: 'boolean',
            cover: { type: 'media', multiple: false },
            seo: { type: 'component', component: 'shared.seo' },
          },
        },
        other: { attributes: { seo: { type: 'component', component: 'shared.seo' } } },
      },
      auth: {
        roles: { public: { permissions: [] } },
        apiTokens: [
          {
            name: 'reader',
            type: 'custom',
            token: TOKEN,
            permissions: [
              { 'note.read': { where: 'open' } },
              { 'note.update': { where: 'mine', fields: ['title', 'cover', 'seo'] } },
              'plugin::upload.content-api.*',
            ],
          },
        ],
      },
      data: {
        note: [
          { id: 1, open: true, mine: true, seo: {} },
          { id: 2, open: false, mine: true, seo: {} },
          { id: 3, open: true, mine: false, seo: {} },
          { id: 4, open: false, mine: false, seo: {} },
        ],
        other: [{ id: 1, seo: {} }],
      },
    },
    { env: {} },
  )
})
afterAll(async () => {
  await cms.close()
  await rm(directory, { recursive: true })
})

async function send(path: string, parts?: FormData) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  return answerOf(
    await cms.fetch(path, parts === undefined ? { headers } : { headers, method: 'POST', body: parts }),
  )
}

const attach = (ref: string, refId: number, field: string) =>
  send(
    '/api/upload',
    form(
      png(),
      ...Object.entries({ ref, refId, field }).map(([name, value]) => ({ name, value: String(value) })),
    ),
  )

const filesOf = async (): Promise<unknown> => (await send('/api/upload/files')).body

// The components have the ids of their entries here, since they were made in the same order.
test.each([
  ['an entry', 'api::note.note', 'cover', [2, 4]],
  ['a component, one of a type that may not be updated', 'shared.seo', 'image', [2, 4, 5]],
])('files for %s', async (_, ref, field, hidden) => {
  const before = await filesOf()
  const none = await attach(ref, 99, field)
  expect(none.status).toBe(400)
  for (const id of hidden) expect([id, await attach(ref, id, field)]).toEqual([id, none])
  // It is there, and not to be changed.
  expect(await attach(ref, 3, field)).toMatchObject({ status: 404 })
  expect(await filesOf()).toEqual(before)
  expect(await attach(ref, 1, field)).toMatchObject({ status: 200 })
  const { body } = await send(`/api/notes/1?populate[${ref === 'shared.seo' ? 'seo' : field}][populate]=*`)
  expect(JSON.stringify(body)).toContain('a.png')
})
