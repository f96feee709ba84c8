// Documents of the dialect strapi-5: two versions, the actions on them, and a database of the other dialect.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-documents-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const base = {
  contentTypes: {
    article: { drafts: true, attributes: { title: 'string!', code: { type: 'string', unique: true } } },
    author: { attributes: { name: 'string', articles: ['article'] } },
  },
  public: ['article.*', 'author.*'],
  data: { article: [{ id: 1, title: 'One', code: 'a' }] },
}

async function open() {
  const cms = await createCms({ dialect: 'strapi-5', ...base } as never, { env: {} })
  return {
    cms,
    async ask(method: string, path: string, data?: unknown) {
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const headers = { 'content-type': 'application/json' }
      const response = await cms.fetch(`/api${path}`, { method, headers, ...body })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}

describe('a document', () => {
  test('keeps what is published while its draft changes', async () => {
    const { cms, ask } = await open()
    const { documentId } = (await ask('GET', '/articles')).body.data[0]
    expect(documentId).toMatch(/^d[0-9a-f]{23}$/)
    await ask('PUT', `/articles/${documentId}?status=draft`, { title: 'Two' })
    const titles = async () =>
      Promise.all(
        ['published', 'draft'].map(
          async (status) => (await ask('GET', `/articles/${documentId}?status=${status}`)).body.data?.title,
        ),
      )
    expect(await titles()).toEqual(['One', 'Two'])
    expect((await ask('POST', `/articles/${documentId}/actions/discard`)).status).toBe(200)
    expect(await titles()).toEqual(['One', 'One'])
    await ask('PUT', `/articles/${documentId}?status=draft`, { title: 'Three' })
    expect((await ask('POST', `/articles/${documentId}/actions/publish`)).body.data.title).toBe('Three')
    expect(await titles()).toEqual(['Three', 'Three'])
    expect((await ask('POST', `/articles/${documentId}/actions/unpublish`)).status).toBe(200)
    expect(await titles()).toEqual([undefined, 'Three'])
    expect((await ask('DELETE', `/articles/${documentId}`)).status).toBe(204)
    expect(await titles()).toEqual([undefined, undefined])
    await cms.close()
  })

  test('is linked in both versions, and unique once it is published', async () => {
    const { cms, ask } = await open()
    const { documentId } = (await ask('GET', '/articles')).body.data[0]
    const author = await ask('POST', '/authors?populate=articles', { name: 'Ann', articles: [documentId] })
    expect(author.status).toBe(201)
    expect(author.body.data.articles).toHaveLength(1)
    const draft = await ask('POST', '/articles?status=draft', { title: 'Same', code: 'a' })
    expect(draft.status).toBe(201)
    const published = await ask('POST', `/articles/${draft.body.data.documentId}/actions/publish`)
    expect(published.status).toBe(400)
    expect(published.body.error.details.errors[0]).toMatchObject({ path: ['code'], value: 'a' })
    await cms.close()
  })
})

test('a database of the other dialect is refused, and stays', async () => {
  const database = { client: 'sqlite', filename: join(folder, 'cms.db') }
  const first = await createCms({ ...base, database } as never, { env: {} })
  await first.close()
  const other = createCms({ dialect: 'strapi-5', ...base, database } as never, { env: {} })
  await expect(other).rejects.toThrow('DBS035')
  const again = await createCms({ ...base, database } as never, { env: {} })
  expect((await again.fetch('/api/articles')).status).toBe(200)
  await again.close()
})
