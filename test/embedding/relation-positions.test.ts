// Positions of `connect` where entries are documents: those beside an entry that is not linked, and one named twice.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test('positions of documents', async () => {
  const config = {
    dialect: 'strapi-5',
    contentTypes: {
      tag: { attributes: { name: 'string' } },
      post: { drafts: true, attributes: { tags: ['tag'] } },
    },
    auth: { roles: { public: { permissions: ['post.*', 'tag.find'] } } },
    data: { tag: ['a', 'b', 'c'].map((name, at) => ({ id: at + 1, documentId: name, name })) },
  }
  await using cms = await createCms(config as never, { env: {} })
  const post = await cms.entries('post').create({ tags: ['a', 'b'] })
  async function connect(tags: object): Promise<unknown> {
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { tags } }),
    }
    const answer = await cms.fetch(`/api/posts/${String(post['documentId'])}?populate=tags`, init)
    const { data, error } = (await answer.json()) as {
      data: { tags: { name: string }[] } | null
      error?: { message: string }
    }
    return error?.message ?? data?.tags.map(({ name }) => name).join('')
  }
  const inOrder = [
    { documentId: 'a', position: { before: 'b' } },
    { documentId: 'b', position: { start: true } },
    { documentId: 'c', position: { end: true } },
  ]
  expect(await connect({ connect: inOrder })).toBe('bac')
  expect(await connect({ connect: ['b', { documentId: 'b' }] })).toBe('acb')
  const twice = [{ documentId: 'b' }, { id: 2, position: { start: true } }]
  expect(await connect({ connect: twice })).toBe(
    'The relation with id 2 is already connected. You cannot connect the same relation twice.',
  )
  const beside = [{ id: 1, position: { after: 999 } }]
  expect(await connect({ connect: beside })).toContain('"999"')
  expect(await connect({ options: { strict: false }, connect: beside })).toBe('cba')
})
