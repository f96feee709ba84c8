// Versions of entries: an ETag moves with the entry, and a write that names an older one is refused.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { openForTests } from '../support/open-for-tests.ts'

const options = { draftAndPublish: false }
const to = (relation: string, type: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: `api::${type}.${type}`,
  ...more,
})

const config = {
  plugins: { graphql: true },
  contentTypes: {
    author: {
      options,
      concurrency: 'optional',
      attributes: { name: 'string', articles: to('oneToMany', 'article', { mappedBy: 'author' }) },
    },
    article: {
      options: { draftAndPublish: true },
      concurrency: 'optional',
      attributes: {
        title: { type: 'string', unique: true },
        body: 'string',
        secret: { type: 'string', private: true },
        author: to('manyToOne', 'author', { inversedBy: 'articles' }),
        tags: to('manyToMany', 'tag'),
        box: { type: 'component', component: 'ui.box' },
      },
    },
    tag: { options, attributes: { name: 'string' } },
    strict: { options, concurrency: 'required', attributes: { name: 'string' } },
    home: { kind: 'singleType', options, attributes: { title: 'string' } },
  },
  components: { 'ui.box': { attributes: { label: 'string' } } },
  auth: {
    roles: {
      public: {
        permissions: [
          'article.*',
          'author.*',
          'tag.*',
          'strict.*',
          'home.*',
          'article.upsert',
          'strict.updateMany',
        ],
      },
    },
  },
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests({ ...config, dialect }, { restores: true })

  interface Sent {
    readonly status: number
    /** Without the hash of a cached response. */
    readonly version: string | undefined
    readonly etag: string | null
    readonly data: Record<string, unknown>
    readonly error:
      | { readonly name: string; readonly message: string; readonly details: Record<string, unknown> }
      | undefined
  }

  async function send(
    method: string,
    path: string,
    data?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Sent> {
    const response = await cms().fetch(`/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(data !== undefined && {
        body: JSON.stringify(method === 'POST' && path.endsWith('upsert') ? data : { data }),
      }),
    })
    const text = await response.text()
    const json = text === '' ? {} : (JSON.parse(text) as Pick<Sent, 'data' | 'error'>)
    const etag = response.headers.get('etag')
    return {
      status: response.status,
      etag,
      version: /^"(\d+)/.exec(etag ?? '')?.[1],
      data: {},
      error: undefined,
      ...json,
    }
  }

  const idOf = ({ data }: Pick<Sent, 'data'>): string =>
    String(dialect === 'strapi-4' ? data['id'] : data['documentId'])
  const create = async (type: string, data: unknown): Promise<string> => idOf(await send('POST', type, data))
  const versionOf = async (path: string): Promise<string | undefined> => (await send('GET', path)).version

  test('every response for one entry has its version, lists have none', async () => {
    const made = await send('POST', 'articles', { title: 'a' })
    expect(made.version).toBe('1')
    const path = `articles/${idOf(made)}`
    expect((await send('GET', path)).version).toBe('1')
    expect((await send('PUT', path, { title: 'b' })).version).toBe('2')
    expect((await send('GET', `${path}?populate=*`)).version).toBe('2')
    const home = await send('PUT', 'home', { title: 'h' })
    expect(home.version).toBe('1')
    expect(await versionOf('home')).toBe('1')
    const list = await cms().fetch('/api/articles')
    expect(list.headers.get('etag')).toBeNull()
  })

  test('it moves with components and relations, from either side, and with deletions', async () => {
    const author = await create('authors', { name: 'Ada' })
    const other = await create('authors', { name: 'Bo' })
    const tag = await create('tags', { name: 'x' })
    const path = `articles/${await create('articles', { title: 'a', author, tags: [tag], box: { label: 'l' } })}`
    const [ofAuthor, ofOther] = [`authors/${author}`, `authors/${other}`]
    expect([await versionOf(path), await versionOf(ofAuthor), await versionOf(ofOther)]).toEqual([
      '1',
      '2',
      '1',
    ])
    const { data } = await send('PUT', path, { author: other })
    expect([await versionOf(path), await versionOf(ofAuthor), await versionOf(ofOther)]).toEqual([
      '2',
      '3',
      '2',
    ])
    await send('PUT', path, { box: { label: 'new' } })
    expect(await versionOf(path)).toBe('3')
    const id = idOf({ data })
    await send('PUT', ofAuthor, { articles: [id] })
    expect([await versionOf(path), await versionOf(ofAuthor), await versionOf(ofOther)]).toEqual([
      '4',
      '4',
      '3',
    ])
    await send('DELETE', `tags/${tag}`)
    expect(await versionOf(path)).toBe('5')
    await send('DELETE', ofAuthor)
    expect(await versionOf(path)).toBe('6')
    await send('PUT', ofOther, { name: 'Bob' })
    expect(await versionOf(path)).toBe('6')
  })

  test('If-Match refuses an older version, and names the attributes that both changed', async () => {
    const path = `articles/${await create('articles', { title: 'a', body: 'old' })}`
    const { etag } = await send('GET', path)
    const first = { 'if-match': etag ?? '' }
    expect((await send('PUT', path, { title: 'b', secret: 's' }, first)).status).toBe(200)
    const refused = await send('PUT', path, { title: 'c', body: 'new', secret: 't' }, first)
    expect(refused).toMatchObject({
      status: 412,
      etag: '"2"',
      error: {
        name: 'PreconditionFailedError',
        message: 'The entry has version 2, which changed title: read it again',
        details: { version: 2, attributes: ['title'] },
      },
    })
    // The same value is no conflict, but still another version.
    expect((await send('PUT', path, { title: 'b' }, first)).error?.details).toEqual({
      version: 2,
      attributes: [],
    })
    expect((await send('DELETE', path, undefined, first)).status).toBe(412)
    expect((await send('PUT', path, { body: 'new' }, { 'if-match': '"1", "2-hash"' })).status).toBe(200)
    expect((await send('PUT', path, { body: 'x' }, { 'if-match': '"none"' })).status).toBe(412)
    expect((await send('PUT', path, { body: 'x' }, { 'if-match': '*' })).status).toBe(200)
    expect((await send('DELETE', path, undefined, { 'if-match': 'W/"4"' })).status).toBeLessThan(300)
  })

  test('a cached response keeps the version in its tag', async () => {
    const path = `articles/${await create('articles', { title: 'a' })}`
    await send('GET', path)
    await send('GET', path)
    const { etag } = await send('GET', path)
    expect(etag).toMatch(/^"1/)
    expect((await send('PUT', path, { title: 'b' }, { 'if-match': etag ?? '' })).status).toBe(200)
    expect((await cms().fetch(`/api/${path}`, { headers: { 'if-none-match': etag ?? '' } })).status).toBe(200)
  })

  test('If-None-Match: * creates only a new entry', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await send('POST', 'articles', { title: 'a' }, headers)).status).toBeLessThan(300)
    expect(await send('POST', 'articles', { title: 'a' }, headers)).toMatchObject({
      status: 412,
      error: { name: 'PreconditionFailedError' },
    })
    const upsert = (title: string) =>
      send('POST', 'articles/actions/upsert', { on: 'title', data: { title } }, headers)
    expect((await upsert('a')).status).toBe(412)
    expect((await upsert('b')).status).toBe(200)
  })

  test('concurrency: required refuses writes without a version', async () => {
    const path = `stricts/${await create('stricts', { name: 'a' })}`
    expect(await send('PUT', path, { name: 'b' })).toMatchObject({
      status: 428,
      error: { name: 'PreconditionRequiredError' },
    })
    expect((await send('DELETE', path)).status).toBe(428)
    const many = await cms().fetch('/api/stricts/actions/update-many', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"filters":{},"data":{}}',
    })
    expect(many.status).toBe(428)
    expect((await send('PUT', path, { name: 'b' }, { 'if-match': '"1"' })).status).toBe(200)
    expect((await send('PUT', path, { name: 'c' }, { 'if-match': '"1"' })).status).toBe(412)
  })

  test('code reads and names versions', async () => {
    const articles = cms().entries('article')
    const made = await articles.create({ title: 'a' })
    const id = dialect === 'strapi-4' ? made.id : String(made['documentId'])
    expect(made['version']).toBe(1)
    expect(Object.keys(made)).not.toContain('version')
    const updated = await articles.update(id, { title: 'b' }, { ifVersion: 1 })
    expect(updated['version']).toBe(2)
    expect((await articles.findOne(id))?.['version']).toBe(2)
    await expect(articles.update(id, { title: 'c' }, { ifVersion: 1 })).rejects.toMatchObject({
      status: 412,
      details: { version: 2, attributes: ['title'] },
    })
    await expect(articles.delete(id, { ifVersion: 1 })).rejects.toMatchObject({ status: 412 })
    await articles.delete(id, { ifVersion: 2 })
  })

  test('GraphQL selects and names versions', async () => {
    const author = await create('authors', { name: 'Ada' })
    const id = await create('articles', { title: 'a', author })
    const [key, one, related] =
      dialect === 'strapi-4'
        ? ['id', 'data { version attributes { author { data { version } } } }', 'data { version }']
        : ['documentId', 'version author { version }', 'version']
    const read = await cms().graphql(`{ article(${key}: "${id}") { ${one} } }`)
    expect(read.errors).toBeUndefined()
    expect(JSON.stringify(read.data).match(/"version":\d/g)).toEqual(['"version":1', '"version":2'])
    const update = (title: string, version: number) =>
      cms().graphql(
        `mutation { updateArticle(${key}: "${id}", data: { title: "${title}" }, ifVersion: ${version}) { ${related} } }`,
      )
    expect(JSON.stringify((await update('b', 1)).data)).toMatch('"version":2')
    const refused = await update('c', 1)
    expect(refused.errors?.[0]).toMatchObject({
      message: 'The entry has version 2, which changed title: read it again',
      extensions: {
        error: { name: 'PreconditionFailedError', details: { version: 2, attributes: ['title'] } },
      },
    })
    const strict = await create('stricts', { name: 'x' })
    const { errors } = await cms().graphql(
      `mutation { updateStrict(${key}: "${strict}", data: { name: "y" }) { ${related} } }`,
    )
    expect(errors?.[0]?.message).toMatch('must name the version')
    const gone = await cms().graphql(
      `mutation { deleteStrict(${key}: "${strict}", ifVersion: 1) { ${dialect === 'strapi-4' ? 'data { id }' : 'documentId'} } }`,
    )
    expect(gone.errors).toBeUndefined()
  })

  test('of callers that read and write at once, none loses an update', async () => {
    const path = `articles/${await create('articles', { title: 'a', body: '0' })}`
    const bodyOf = ({ data }: Sent): number =>
      Number((data['attributes'] as Record<string, unknown> | undefined)?.['body'] ?? data['body'])
    const increment = async (): Promise<void> => {
      for (;;) {
        const read = await send('GET', path)
        const { status } = await send(
          'PUT',
          path,
          { body: String(bodyOf(read) + 1) },
          { 'if-match': read.etag ?? '' },
        )
        if (status === 200) return
        expect(status).toBe(412)
      }
    }
    await Promise.all(Array.from({ length: 8 }, increment))
    expect(bodyOf(await send('GET', path))).toBe(8)
  })
})

describe('strapi-5 versions of documents', () => {
  test('a deletion names the last change of a draft that was changed in its published version before', async () => {
    await using cms = await createCms({ ...config, dialect: 'strapi-5' }, { env: {} })
    const send = async (method: string, path: string, data?: unknown, version?: string) => {
      const response = await cms.fetch(`/api/articles${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(version !== undefined && { 'if-match': version }),
        },
        ...(data !== undefined && { body: JSON.stringify({ data }) }),
      })
      return (await response.json()) as { data: { documentId: string }; error?: { details: unknown } }
    }
    const { data } = await send('POST', '', { title: 'a' })
    const path = `/${data.documentId}`
    await send('PUT', path, { title: 'b' })
    await send('PUT', `${path}?status=draft`, { title: 'c' })
    const { error } = await send('DELETE', path, undefined, '"2"')
    expect(error?.details).toEqual({ version: 3, attributes: ['title'] })
  })

  test('a draft moves ahead of its published version', async () => {
    const permissions = ['article.*', 'article.publish']
    const auth = { roles: { public: { permissions } } }
    await using cms = await createCms({ ...config, auth, dialect: 'strapi-5' }, { env: {} })
    const send = async (
      method: string,
      path: string,
      data?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await cms.fetch(`/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(data !== undefined && { body: JSON.stringify({ data }) }),
      })
      const { data: entry } = (await response.json()) as { data: Record<string, unknown> }
      return {
        status: response.status,
        version: /^"(\d+)/.exec(response.headers.get('etag') ?? '')?.[1],
        entry,
      }
    }
    const { entry } = await send('POST', 'articles', { title: 'a' })
    const path = `articles/${String(entry['documentId'])}`
    expect((await send('PUT', `${path}?status=draft`, { title: 'b' })).version).toBe('2')
    expect((await send('GET', path)).version).toBe('1')
    expect((await send('GET', `${path}?status=draft`)).version).toBe('2')
    expect((await send('PUT', path, { title: 'c' }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await send('POST', `${path}/actions/publish`, undefined, { 'if-match': '"1"' })).status).toBe(412)
    expect((await send('POST', `${path}/actions/publish`, undefined, { 'if-match': '"2"' })).version).toBe(
      '3',
    )
    expect((await send('GET', path)).version).toBe('3')
    expect((await send('GET', `${path}?status=draft`)).version).toBe('3')
  })
})
