// `cms-run record`: our own server is recorded, with and without its content-type-builder, as a proxy and with given
// requests; what was written passes `cms-run test`, and holds no secret.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Cms, createCms } from '../../src/index.ts'
import { withoutSecrets } from '../../src/strapi/recording/secrets.ts'
import { newFolder } from '../archive/in-file.ts'
import { type CommandOutcome, runCommand, startCommand } from '../support/run-command.ts'

const API_TOKEN = 'a-secret-of-the-recorded-server-0123456789'
const config = (builder: boolean): Record<string, unknown> => ({
  // As in Strapi.
  rest: { strict: false },
  plugins: { 'users-permissions': { config: { jwtSecret: 'a-jwt-secret-of-the-recorded-server' } } },
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true, unique: true },
        body: 'richtext',
        stars: { type: 'integer', default: 3 },
        price: 'decimal',
        on: 'date',
        pin: 'password',
        details: 'json',
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'articles',
        },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        seo: { type: 'component', component: 'shared.seo' },
        links: { type: 'component', component: 'shared.link', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.link'] },
        cover: { type: 'media' },
        owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string', required: true },
        articles: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::article.article',
          mappedBy: 'author',
        },
      },
    },
    tag: { attributes: { label: { type: 'string', required: true, maxLength: 40 } } },
    homepage: {
      kind: 'singleType',
      attributes: { headline: 'string', seo: { type: 'component', component: 'shared.seo' } },
    },
  },
  components: {
    'shared.seo': {
      attributes: {
        metaTitle: { type: 'string', required: true },
        links: { type: 'component', component: 'shared.link', repeatable: true },
      },
    },
    'shared.link': { attributes: { href: 'string', weight: 'integer' } },
  },
  auth: {
    roles: {
      public: {
        permissions: [
          ...['article', 'author', 'tag', 'homepage'].map((name) => `${name}.find`),
          'article.findOne',
          'plugin::users-permissions.auth.callback',
          ...(builder
            ? ['content-types.getContentTypes', 'components.getComponents'].map(
                (one) => `plugin::content-type-builder.${one}`,
              )
            : []),
        ],
      },
      authenticated: {
        permissions: [
          'article.find',
          'article.findOne',
          'article.create',
          'article.update',
          'article.delete',
          'author.find',
          'author.create',
          'tag.find',
        ],
      },
    },
    users: [
      {
        username: 'ann',
        email: 'ann@example.com',
        password: 'correct horse battery',
        role: 'authenticated',
        confirmed: true,
      },
    ],
    apiTokens: [{ name: 'all', type: 'full-access', token: API_TOKEN }],
  },
  data: {
    tag: [{ label: 'red' }, { label: 'blue' }],
    author: [{ name: 'Bob' }, { name: 'Cleo' }],
    article: Array.from({ length: 30 }, (_, index) => ({
      title: `Article ${index}`,
      body: `Text with $\${HOME} and {{braces}} of\n${index}`,
      price: index / 4,
      on: '2024-02-29',
      pin: 'a-pin-that-nobody-sees',
      details: { deep: [index, { sessionId: 'a-key-in-json' }] },
      author: index % 2 === 0 ? 'Bob' : 'Cleo',
      tags: ['red', 'blue'].slice(0, index % 3),
      seo: { metaTitle: `T${index}`, links: [{ href: '/a', weight: index }] },
      links: [{ href: `/${index}` }],
      zone: [{ __component: 'shared.link', href: '/zone' }],
      owner: 'ann',
      ...(index === 29 && { publishedAt: null }),
    })),
    homepage: { headline: 'Hello', seo: { metaTitle: 'Home' } },
  },
})

const SECRETS = [
  API_TOKEN,
  'a-jwt-secret',
  'correct horse',
  'a-pin-that',
  'a-key-in-json',
  'ann@example.com',
  'eyJ',
  'new-pin',
]

async function servedBy(builder: boolean): Promise<{ cms: Cms; url: string }> {
  const cms = await createCms(config(builder), { env: {}, testing: true })
  return { cms, url: (await cms.listen(0)).url }
}

/** What a front end would ask. */
async function browse(url: string): Promise<void> {
  const get = async (path: string, headers = {}): Promise<Response> => fetch(url + path, { headers })
  await get('/api/articles?fields[0]=title&pagination[pageSize]=2')
  await get('/api/articles?populate[author]=true&populate[seo][populate]=*&sort=title&filters[stars][$gte]=3')
  await get('/api/articles/3?populate=*')
  await get('/api/articles/3?populate=*')
  await get('/api/articles/30')
  await get('/api/articles/999')
  await get('/api/articles?filters[nonsense]=1')
  await get('/api/homepage?populate=deep')
  await get('/api/nothing-like-that')
  await get('/api/tags?access_token=a-secret-in-the-query')
  await get('/api/articles?publicationState=preview&sort=id:desc&pagination[limit]=1', {
    authorization: `Bearer ${API_TOKEN}`,
  })
  const login = await fetch(`${url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ann', password: 'correct horse battery' }),
  })
  const { jwt } = (await login.json()) as { jwt: string }
  const send = async (
    method: string,
    path: string,
    data?: unknown,
  ): Promise<{ readonly data: { readonly id: number } }> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${jwt}` },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    })
    return (await answer.json()) as { data: { id: number } }
  }
  const { data: author } = await send('POST', '/api/authors', { name: 'Dora' })
  const { data: made } = await send('POST', '/api/articles', {
    title: 'Made',
    pin: 'new-pin',
    author: author.id,
    tags: [1],
  })
  await send('POST', '/api/articles', { body: 'without a title' })
  await send('POST', '/api/articles', { title: 'Made' })
  await send('PUT', `/api/articles/${made.id}`, { title: 'Made again' })
  await send('PUT', '/api/articles/2', { stars: 5 })
  await send('GET', `/api/articles/${made.id}?populate=author,tags`)
  await send('GET', '/api/articles?sort=id&pagination[start]=1&pagination[limit]=2')
  await send('DELETE', '/api/articles/1')
  await send('GET', '/api/articles/1')
}

/** Records what `act` asks of the proxy. */
async function recordProxied(
  cwd: string,
  argv: readonly string[],
  act: (url: string) => Promise<void>,
): Promise<CommandOutcome> {
  const { printed, ready, stop } = startCommand(['record', ...argv, '--port', '0'], { cwd })
  await ready()
  await act(/http:\/\/127\.0\.0\.1:\d+/.exec(printed.err)?.[0] ?? '')
  return stop()
}

describe.each([
  ['with its content-type-builder', true],
  ['with types inferred from responses', false],
])('a proxy %s', (_name, builder) => {
  let served: { cms: Cms; url: string }
  beforeAll(async () => {
    served = await servedBy(builder)
  })
  afterAll(() => served.cms.close())

  test('what was recorded passes, and holds no secret', async () => {
    const cwd = newFolder()
    const { code, out, err } = await recordProxied(cwd, ['--from', served.url], browse)
    expect(code).toBe(0)
    const written = ['cms.yaml', 'cases.yaml'].map((name) =>
      readFileSync(join(cwd, 'recorded', name), 'utf8'),
    )
    for (const text of written) for (const secret of SECRETS) expect(text).not.toContain(secret)
    expect(written[0]?.includes('inferred from responses')).toBe(!builder)
    for (const why of ['a secret in the query', 'requests about accounts', 'no content-type is served there'])
      expect(err).toContain(`1 request is left out: ${why}`)
    expect(err).not.toContain('answered otherwise')
    expect(out).toBe('18 requests in 9 cases, 35 entries of 4 content-types: recorded\n')

    const again = await runCommand(['test', 'recorded/cases.yaml'], { cwd })
    expect(again.out).toContain('9 of 9 cases passed')
    // It is the answers that are compared: another entry is noticed.
    writeFileSync(
      join(cwd, 'recorded/cms.yaml'),
      written[0]?.replace('title: Article 2\n', 'title: Other\n') ?? '',
    )
    expect((await runCommand(['test', 'recorded/cases.yaml'], { cwd })).code).toBe(1)
  })
})

describe('with given requests', () => {
  let served: { cms: Cms; url: string }
  beforeAll(async () => {
    served = await servedBy(false)
  })
  afterAll(() => served.cms.close())

  test('of a file of cases, whose captures are taken, with a token', async () => {
    const cwd = newFolder()
    writeFileSync(
      join(cwd, 'requests.yaml'),
      `cases:
  a tag is made and read:
    - { get: /api/tags, as: { token: any } }
    - { post: /api/tags, as: { token: any }, send: { data: { label: green } }, capture: { tag: data.id } }
    - { get: '/api/tags/{{tag}}', as: { token: any } }
    - { get: /api/tags/77, expect: 404, as: { token: any } }
  the rest is not asked:
    - { get: /api/tags, expect: 404 }
    - { get: /api/authors }
`,
    )
    const given = ['record', 'requests.yaml', '--from', served.url, '--out', 'made']
    expect(await runCommand(given, { cwd })).toMatchObject({ code: 1 })
    const env = { STRAPI_TOKEN: API_TOKEN }
    const { code, err } = await runCommand([...given, '--json'], { cwd, env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const cases = readFileSync(join(cwd, 'made/cases.yaml'), 'utf8')
    expect(cases).toContain('/api/tags/{{tag_1}}')
    expect(cases).not.toContain('/api/authors')
    expect(readFileSync(join(cwd, 'made/cms.yaml'), 'utf8')).not.toContain(API_TOKEN)
    expect(await runCommand(['test', 'made/cases.yaml'], { cwd })).toMatchObject({ code: 0 })
    // What is there is not replaced unless that is asked for.
    expect((await runCommand(given, { cwd, env })).err).toContain('made/cms.yaml is there already; --force')
    expect(await runCommand([...given, '--force'], { cwd, env })).toMatchObject({ code: 0 })
  })

  test('of a list of paths', async () => {
    const cwd = newFolder()
    writeFileSync(
      join(cwd, 'list.txt'),
      '# what the front end asks\nGET /api/articles?populate=*&sort=title\n/api/homepage\n',
    )
    const { code, out } = await runCommand(['record', 'list.txt', '--from', served.url], { cwd })
    expect({ code, out }).toEqual({
      code: 0,
      out: '2 requests in 2 cases, 35 entries of 4 content-types: recorded\n',
    })
  })
})

test('documents of Strapi 5', async () => {
  const { contentTypes, auth, ...rest } = config(true)
  const served = await createCms(
    { dialect: 'strapi-5', contentTypes, auth, ...rest },
    { env: {}, testing: true },
  )
  const { url } = await served.listen(0)
  const cwd = newFolder()
  const { code, err } = await recordProxied(cwd, ['--from', url], async (proxy) => {
    const { data } = (await (await fetch(`${proxy}/api/articles?populate=*&sort=title`)).json()) as {
      data: readonly { readonly documentId: string }[]
    }
    await fetch(`${proxy}/api/articles/${data[0]?.documentId}?populate[author]=true`)
    const send = async (method: string, path: string, body?: unknown): Promise<string> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${API_TOKEN}` }
      const answer = await fetch(proxy + path, { method, headers, body: JSON.stringify(body) })
      const made = answer.status === 204 ? undefined : await answer.json()
      return (made as { data?: { documentId: string } } | undefined)?.data?.documentId ?? ''
    }
    const author = await send('POST', '/api/authors', { data: { name: 'Dora' } })
    const made = await send('POST', '/api/articles?populate=author', { data: { title: 'Made', author } })
    await send('PUT', `/api/articles/${made}`, { data: { title: 'Again' } })
    await send('DELETE', `/api/articles/${made}`)
  })
  await served.close()
  expect({ code, err: err.split('\n').filter((line) => line.includes('error[')) }).toEqual({
    code: 0,
    err: [],
  })
  expect(readFileSync(join(cwd, 'recorded/cms.yaml'), 'utf8')).toContain('dialect: strapi-5')
  expect(readFileSync(join(cwd, 'recorded/cases.yaml'), 'utf8')).toContain('/api/articles/{{article_1}}')
  expect(err).not.toContain('answered otherwise')
  expect(await runCommand(['test', 'recorded/cases.yaml'], { cwd })).toMatchObject({ code: 0 })
})

test('an administrator, whose token opens the content-type-builder, is not named', async () => {
  const served = await servedBy(true)
  // Strapi's own address of the builder, which has no prefix and is for administrators.
  const admin = createServer((request, response) => {
    const path = request.url ?? ''
    const isBuilder = path.includes('content-type-builder')
    const isAdmin = request.headers.authorization === 'Bearer the-token-of-an-administrator'
    if (isBuilder && !(isAdmin && path.startsWith('/content-type-builder/'))) {
      response.writeHead(403).end('{}')
      return
    }
    void fetch(served.url + (isBuilder ? '/api' : '') + path).then(async (answer) => {
      response.writeHead(answer.status).end(await answer.text())
    })
  })
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve))
  const cwd = newFolder()
  writeFileSync(join(cwd, 'list.txt'), '/api/tags\n')
  const { port } = admin.address() as AddressInfo
  const argv = ['record', 'list.txt', '--from', `http://127.0.0.1:${port}`]
  const { code } = await runCommand([...argv, '--admin-token', 'the-token-of-an-administrator'], { cwd })
  const written = readFileSync(join(cwd, 'recorded/cms.yaml'), 'utf8')
  await runCommand([...argv, '--force'], { cwd })
  const guessed = readFileSync(join(cwd, 'recorded/cms.yaml'), 'utf8')
  admin.closeAllConnections()
  admin.close()
  await served.cms.close()
  expect(code).toBe(0)
  expect(written).not.toContain('inferred')
  expect(written).toContain('maxLength: 40')
  expect(written).not.toContain('the-token-of-an-administrator')
  expect(guessed).toContain('inferred')
})

test.each([
  ['no address', ['--from', 'strapi'], '"strapi" is no address of a server'],
  ['a password in it', ['--from', 'http://ann:secret@localhost'], 'must not have a password'],
  ['nobody there', ['--from', 'http://127.0.0.1:9'], 'http://127.0.0.1:9 does not answer: fetch failed'],
  ['none', [], 'record needs to know what to record'],
])('an address that is wrong: %s', async (_name, argv, message) => {
  const { code, err } = await runCommand(['record', ...argv], { cwd: newFolder() })
  expect(code).toBeGreaterThan(0)
  expect(err).toContain(message)
})

test('secret names are found wherever they are, and known secrets in every text', () => {
  const names = fc.constantFrom('password', 'resetPasswordToken', 'apiKey', 'api_key', 'JWT', 'clientSecret')
  const secrets = fc.stringMatching(/^[A-Z]{12}$/)
  fc.assert(
    fc.property(fc.jsonValue(), names, secrets, (value, name, secret) => {
      const sent = { a: [value, { [name]: secret, b: [`x${secret}y`] }] }
      for (const leaveOut of [true, false])
        expect(JSON.stringify(withoutSecrets(sent, new Set([secret]), leaveOut))).not.toContain(secret)
      const { a } = withoutSecrets(sent, new Set(), true) as typeof sent
      expect(Object.keys(a[1] as object)).toEqual(['b'])
    }),
  )
})

test.each([
  ['blog', ['articles', 'authors', 'tags', 'comments']],
  ['calendar', ['events', 'venues']],
  ['shop', ['products', 'departments']],
  ['site', ['pages', 'home', 'footer']],
])('a server of the template %s, with types inferred from responses', async (name, segments) => {
  const cwd = newFolder()
  await using cms = await createCms(join(import.meta.dirname, `../../examples/templates/${name}.yaml`), {
    env: {},
  })
  const { url } = await cms.listen(0)
  const paths = segments.flatMap((segment) => [`/api/${segment}?populate=*`, `/api/${segment}`])
  writeFileSync(join(cwd, 'list.txt'), paths.join('\n'))
  const { code, err } = await runCommand(['record', 'list.txt', '--from', url], { cwd })
  expect(err).not.toMatch(/error|answered otherwise/)
  expect(code).toBe(0)
  const again = await runCommand(['test', 'recorded/cases.yaml'], { cwd })
  expect(again.out).toContain(`${paths.length} of ${paths.length} cases passed`)
})

test('both sides of a relation are inferred where their entries name each other', async () => {
  const related = (target: string, relation: string, more = {}): Record<string, unknown> => ({
    type: 'relation',
    relation,
    target: `api::${target}.${target}`,
    ...more,
  })
  const types = {
    article: {
      title: 'string',
      author: related('author', 'manyToOne', { inversedBy: 'articles' }),
      tags: related('tag', 'manyToMany', { inversedBy: 'articles' }),
      similar: related('tag', 'manyToMany'),
    },
    author: { name: 'string', articles: related('article', 'oneToMany', { mappedBy: 'author' }) },
    tag: { name: 'string', articles: related('article', 'manyToMany', { mappedBy: 'tags' }) },
  }
  await using cms = await createCms(
    {
      contentTypes: Object.fromEntries(
        Object.entries(types).map(([type, attributes]) => [type, { attributes }]),
      ),
      auth: { roles: { public: { permissions: ['article.find', 'author.find', 'tag.find'] } } },
      data: {
        tag: [{ name: 'red' }, { name: 'blue' }],
        author: [{ name: 'Ann' }, { name: 'Bo' }],
        article: [
          { title: 'a', author: 2, tags: [1, 2], similar: [1] },
          { title: 'b', author: 2, tags: [2] },
        ],
      },
    },
    { env: {} },
  )
  const { url } = await cms.listen(0)
  const cwd = newFolder()
  const paths = ['articles', 'authors', 'tags'].map((segment) => `/api/${segment}?populate=*`)
  writeFileSync(join(cwd, 'list.txt'), paths.join('\n'))
  await runCommand(['record', 'list.txt', '--from', url], { cwd })
  const { contentTypes } = parse(readFileSync(join(cwd, 'recorded/cms.yaml'), 'utf8')) as {
    contentTypes: Record<string, { attributes: Record<string, unknown> }>
  }
  expect(
    Object.fromEntries(Object.entries(contentTypes).map(([type, { attributes }]) => [type, attributes])),
  ).toEqual({
    article: {
      title: { type: 'string' },
      author: types.article.author,
      tags: types.article.tags,
      similar: types.article.similar,
    },
    author: { name: { type: 'string' }, articles: types.author.articles },
    tag: { name: { type: 'string' }, articles: types.tag.articles },
  })
})
