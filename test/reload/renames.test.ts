// `renamedFrom` in an edit of the file: what was stored goes on under its new name, through every kind of table.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const before = `
plugins: { upload: true }
components:
  shared.seo: { attributes: { metaTitle: string } }
contentTypes:
  author:
    attributes:
      name: string
      articles: { type: relation, relation: oneToMany, target: api::article.article, mappedBy: author }
  article:
    options: { draftAndPublish: true }
    attributes:
      title: { type: string, unique: true }
      author: { type: relation, relation: manyToOne, target: api::author.author, inversedBy: articles }
      seo: { type: component, component: shared.seo }
      zone: { type: dynamiczone, components: [shared.seo] }
      cover: { type: media, multiple: true }
  comment:
    attributes:
      text: string
      about: { type: relation, relation: morphToOne }
auth: { roles: { public: { permissions: ['*.find', '*.findOne', '*.create'] } } }
data:
  author: [{ id: 7, name: Ann }]
  plugin::upload.file: [{ id: 3, name: a.png, hash: a, ext: .png, mime: image/png, size: 1, url: /uploads/a.png, provider: local }]
  article:
    - { id: 5, title: One, author: 7, seo: { metaTitle: M }, zone: [{ __component: shared.seo, metaTitle: Z }], cover: [3] }
    - { id: 6, title: Two, publishedAt: null, author: 7 }
  comment: [{ id: 1, text: hi, about: { __type: api::article.article, id: 5 } }]
`

const after = `
plugins: { upload: true }
components:
  page.meta: { renamedFrom: shared.seo, attributes: { title: { type: string, renamedFrom: metaTitle } } }
contentTypes:
  author:
    attributes:
      fullName: { type: string, renamedFrom: name }
      posts: { type: relation, relation: oneToMany, target: api::post.post, mappedBy: writer }
  post:
    renamedFrom: article
    options: { draftAndPublish: true }
    attributes:
      headline: { type: text, unique: true, renamedFrom: title }
      writer: { type: relation, relation: manyToOne, target: api::author.author, inversedBy: posts, renamedFrom: author }
      meta: { type: component, component: page.meta, renamedFrom: seo }
      body: { type: dynamiczone, components: [page.meta], renamedFrom: zone }
      images: { type: media, multiple: true, renamedFrom: cover }
  comment:
    attributes:
      text: string
      subject: { type: relation, relation: morphToOne, renamedFrom: about }
auth: { roles: { public: { permissions: ['*.find', '*.findOne', '*.create'] } } }
`

const expected = [
  {
    id: 5,
    attributes: {
      headline: 'One',
      writer: { data: { id: 7, attributes: { fullName: 'Ann' } } },
      meta: { title: 'M' },
      body: [{ __component: 'page.meta', title: 'Z' }],
      images: { data: [{ id: 3, attributes: { name: 'a.png' } }] },
    },
  },
  { id: 6, attributes: { headline: 'Two', publishedAt: null } },
]

async function opened(
  text: string,
): Promise<{ cms: Cms; write(text: string): Promise<void>; log: string[] }> {
  const file = join(mkdtempSync(join(tmpdir(), 'cms-run-rename-')), 'cms.yaml')
  const log: string[] = []
  writeFileSync(file, text)
  const cms = await createCms(file, { env: {}, log: (line) => void log.push(line) })
  return {
    cms,
    log,
    async write(next) {
      writeFileSync(file, next)
      await cms.reload()
    },
  }
}

async function get(cms: Cms, path: string): Promise<{ status: number; data: unknown }> {
  const response = await cms.fetch(path)
  const { data } = (await response.json()) as { data: unknown }
  return { status: response.status, data }
}

const POSTS = '/api/posts?publicationState=preview&sort=id&populate=*'

test('values, links, components, zones, media and polymorphic relations keep theirs', async () => {
  const { cms, write } = await opened(before)
  await write(after)
  expect(await get(cms, POSTS)).toMatchObject({ status: 200, data: expected })
  const authors = await get(cms, '/api/authors?populate=posts')
  expect(authors.data).toMatchObject([
    { id: 7, attributes: { fullName: 'Ann', posts: { data: [{ id: 5 }] } } },
  ])
  expect(await cms.entries('comment').findMany({ populate: '*' })).toMatchObject([
    { text: 'hi', subject: { id: 5, headline: 'One' } },
  ])
  expect((await cms.fetch('/api/articles')).status).toBe(404)
  // The unique index went along.
  const again = await cms.fetch('/api/posts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { headline: 'One' } }),
  })
  expect(again.status).toBe(400)
  // Once it is done, renamedFrom changes nothing any more, whether it stays or goes.
  await write(`${after}\n`)
  await write(after.replaceAll(/,? ?renamedFrom: [\w.]+,?/g, ''))
  expect(await get(cms, POSTS)).toMatchObject({ status: 200, data: expected })
  await cms.close()
})

test('a new collectionName takes the entries along', async () => {
  const { cms, write } = await opened(before)
  await write(before.replace('  article:\n', '  article:\n    collectionName: pages\n'))
  expect(await get(cms, '/api/articles/5?populate=author')).toMatchObject({
    status: 200,
    data: { attributes: { title: 'One', author: { data: { id: 7 } } } },
  })
  await cms.close()
})

test('where the new name is there already, nothing is guessed and nothing is lost', async () => {
  const plain = (attributes: string): string => `contentTypes: { note: { attributes: { ${attributes} } } }
data: { note: [{ id: 1, text: one, body: two }] }
`
  const { cms, write, log } = await opened(plain('text: string, body: string'))
  await write(plain('body: { type: string, renamedFrom: text }').replace('text: one, ', ''))
  expect(await cms.entries('note').findMany()).toMatchObject([{ body: 'two' }])
  expect(log.join('')).toContain('DBS014')
  await write(plain('text: string, body: string'))
  expect(await cms.entries('note').findMany()).toMatchObject([{ text: 'one', body: 'two' }])
  await cms.close()
})
