import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { formatReport } from '../../../src/config/format-diagnostic.ts'
import { type ConfigSource, type LoadOptions, loadConfig } from '../../../src/config/load-config.ts'
import { parseSize } from '../../../src/lib/parse-units.ts'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
/** A folder of its own with these files; the path of the first. */
function write(texts: Readonly<Record<string, string | Buffer>>): string {
  const directory = join(folder, String(files++))
  mkdirSync(directory)
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, name), text)
  return join(directory, Object.keys(texts)[0] ?? '')
}

const article = { contentTypes: { article: { attributes: { title: 'string' } } } }
const articleText = 'contentTypes: { article: { attributes: { title: string } } }\n'

async function load(source: ConfigSource, options: Partial<LoadOptions> = {}) {
  const loaded = await loadConfig(source, { env: {}, ...options })
  return { ...loaded, report: formatReport(loaded.source, loaded.diagnostics, { colors: false }) }
}

async function configOf(object: unknown, options: Partial<LoadOptions> = {}) {
  const { config, report } = await load({ object }, options)
  expect(report).toBe('')
  if (config === undefined) throw new Error('no configuration')
  return config
}

describe('a file that cannot be read', () => {
  const missing = join(folder, 'nowhere.yaml')
  const circle = join(folder, 'circle.yaml')
  symlinkSync(circle, circle)
  const pipe = join(folder, 'pipe.yaml')
  execFileSync('mkfifo', [pipe])

  test.each([
    ['missing', missing, 'there is no such file'],
    ['below a file', join(write({ 'a.yaml': articleText }), 'b.yaml'), 'there is no such file'],
    ['a directory', folder, 'it is a directory'],
    ['a circle of links', circle, 'its symbolic links lead in a circle'],
    ['a named pipe', pipe, 'it is not a regular file'],
    ['too large', write({ 'a.yaml': '#'.repeat(4 * 1024 * 1024 + 1) }), 'it is larger than 4 MB'],
  ])('%s', async (_name, file, reason) => {
    const { config, report, files } = await load({ file })
    expect(config).toBeUndefined()
    expect(report).toBe(`error[CFG001]: cannot read ${file}: ${reason}\n`)
    expect(files[0]).toBe(file)
  })
})

describe('defaults', () => {
  test('are those of the documentation', async () => {
    const { contentTypes, file, directory, ...config } = await configOf(article)
    expect(file).toBeUndefined()
    expect(directory).toBe(process.cwd())
    expect(config).toEqual({
      dialect: 'strapi-4',
      server: {
        host: '127.0.0.1',
        port: 1337,
        publicUrl: undefined,
        environment: 'development',
        trustProxy: false,
        middlewares: [],
        workers: 1,
        workerTimeout: 30_000,
        cors: {
          origin: '*',
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
          headers: ['Content-Type', 'Authorization', 'Origin', 'Accept'],
          credentials: false,
          maxAge: 600,
        },
        limits: {
          body: 1_048_576,
          upload: 209_715_200,
          bodies: 33_554_432,
          requestTimeout: 30_000,
          bootstrap: 60_000,
          keepAlive: 10_000,
          drain: 10_000,
          connections: undefined,
          unsent: 41_943_040,
          streams: undefined,
          streamsPerAddress: undefined,
          subscriptions: { connection: 100, caller: 1000, server: 10_000 },
          requests: 2000,
          rate: undefined,
          eventLoopDelay: 2000,
        },
        trouble: undefined,
        metrics: undefined,
        log: { level: 'info', format: undefined, requests: undefined },
      },
      rest: {
        prefix: '/api',
        defaultLimit: 25,
        maxLimit: 100,
        withCount: true,
        strict: true,
        strictRelations: false,
        publicDrafts: true,
        cache: 67_108_864,
        compression: true,
        limits: { cost: 80_000, writeRows: 10_000, scanWarning: 20_000 },
      },
      database: {
        client: 'memory',
        filename: undefined,
        durability: 'full',
        connection: undefined,
        schema: undefined,
        pool: { min: 0, max: 10, acquireTimeout: 5000 },
        statementTimeout: 10_000,
        pooler: false,
        replicas: [],
        migrations: { destructive: 'refuse' },
      },
      components: {},
      plugins: {},
      ownPlugins: {},
      auth: { roles: {}, apiTokens: [], users: [], providers: {} },
      graphql: { shadowCRUD: {}, extensions: [], resolversConfig: {} },
      settings: {},
      services: {},
      policies: {},
      middlewares: {},
      routes: [],
      extensions: undefined,
      console: undefined,
      looks: {},
      data: {},
      fake: { counts: {}, seed: 0 },
    })
    expect(contentTypes).toEqual({
      'api::article.article': {
        sourceKey: 'article',
        kind: 'collectionType',
        collectionName: 'articles',
        info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
        options: { draftAndPublish: false },
        attributes: { title: { type: 'string' } },
        rest: { config: {} },
      },
    })
  })

  test('stand in the schema as they are applied', async () => {
    const schema = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../schemas/cms.schema.json'), 'utf8'),
    )
    const { server, rest } = await configOf(article)
    const { limits, cache, ...ofRest } = rest
    expect(parseSize(schema.definitions.rest.properties.cache.default)).toBe(cache)
    for (const [key, value] of Object.entries(ofRest)) {
      expect(schema.definitions.rest.properties[key].default, key).toEqual(value)
    }
    for (const [key, value] of Object.entries(limits)) {
      expect(schema.definitions.rest.properties.limits.properties[key].default, key).toEqual(value)
    }
    for (const [key, value] of Object.entries(server.cors)) {
      expect(schema.definitions.server.properties.cors.properties[key].default, key).toEqual(value)
    }
    expect(schema.definitions.server.properties.port.default).toBe(server.port)
  })
})

describe('long forms', () => {
  test('names of content-types', async () => {
    const { contentTypes, components } = await configOf({
      contentTypes: {
        category: { attributes: {} },
        'daily-special': { attributes: {}, info: { displayName: 'Special' } },
        'api::blog.post': { attributes: {}, kind: 'singleType', info: { pluralName: 'blog-posts' } },
        person: {
          attributes: {},
          info: { pluralName: 'people', name: 'Human' },
          collectionName: 'persons_tbl',
        },
      },
      components: { 'shared.opening-hour': { attributes: {} } },
    })
    const names = Object.entries(contentTypes).map(([uid, { sourceKey, kind, collectionName, info }]) => [
      uid,
      sourceKey,
      kind,
      collectionName,
      `${info.singularName} ${info.pluralName} "${info.displayName}"`,
    ])
    expect(names).toEqual([
      [
        'api::category.category',
        'category',
        'collectionType',
        'categories',
        'category categories "Category"',
      ],
      [
        'api::daily-special.daily-special',
        'daily-special',
        'collectionType',
        'daily_specials',
        'daily-special daily-specials "Special"',
      ],
      ['api::blog.post', 'api::blog.post', 'singleType', 'blog_posts', 'post blog-posts "Post"'],
      ['api::person.person', 'person', 'collectionType', 'persons_tbl', 'person people "Human"'],
    ])
    expect(components['shared.opening-hour']).toMatchObject({
      collectionName: 'components_shared_opening_hours',
      info: { displayName: 'Opening hour' },
    })
  })

  test('plugins, roles, tokens, origins, routes, data of a single type', async () => {
    const config = await configOf({
      server: {
        cors: { origin: 'https://example.com' },
        limits: { body: 100, keepAlive: '1.5min', drain: 0 },
      },
      contentTypes: {
        home: {
          kind: 'singleType',
          attributes: { title: 'string' },
          rest: {
            except: ['delete'],
            config: { find: { auth: true, policies: ['x'] }, update: { auth: false } },
          },
        },
      },
      plugins: {
        graphql: true,
        i18n: false,
        upload: {},
        email: { enabled: false, config: { provider: 'log' } },
      },
      auth: { roles: { public: {}, editor: { name: 'Ed' } }, apiTokens: [{ name: 'a', token: 't' }] },
      policies: { x: { cel: 'true' } },
      data: { home: { title: 'Hi' } },
    })
    expect(config.server.cors.origin).toEqual(['https://example.com'])
    expect(config.server.limits).toMatchObject({ body: 100, keepAlive: 90_000, drain: 0 })
    expect(config.contentTypes['api::home.home']?.rest).toEqual({
      except: ['delete'],
      config: { find: { policies: ['x'] }, update: { auth: false } },
    })
    expect(config.plugins).toEqual({
      graphql: { enabled: true, config: {} },
      i18n: { enabled: false, config: {} },
      upload: { enabled: true, config: {} },
      email: { enabled: false, config: { provider: 'log' } },
    })
    expect(config.auth.roles).toEqual({
      public: { name: 'Public', description: '', permissions: [] },
      editor: { name: 'Ed', description: '', permissions: [] },
    })
    expect(config.auth.apiTokens).toEqual([{ name: 'a', token: 't', type: 'read-only' }])
    expect(config.data).toEqual({ home: [{ title: 'Hi' }] })
  })
})

describe('environment', () => {
  test('.env beside the file is read, the real environment wins, and process.env stays', async () => {
    const text = `${articleText}server: { host: "\${CMS_TEST_A}", publicUrl: "http://\${CMS_TEST_B}" }\n`
    const file = write({ 'cms.yaml': text, '.env': 'CMS_TEST_A=file\nCMS_TEST_B="from file"\n' })
    const { config } = await load({ file }, { env: { CMS_TEST_B: 'real', CMS_TEST_A: undefined } })
    expect(config?.server).toMatchObject({ host: 'file', publicUrl: 'http://real' })
    expect(process.env['CMS_TEST_A']).toBeUndefined()
  })

  test('an unreadable .env is a warning', async () => {
    const file = write({ 'cms.yaml': articleText })
    mkdirSync(join(file, '..', '.env'))
    const { config, report } = await load({ file })
    expect(config).toBeDefined()
    expect(report).toContain('warning[CFG042]: .env cannot be read: it is a directory')
  })

  test.each([
    [
      'flags win',
      { HOST: 'env', PORT: '1', NODE_ENV: 'staging' },
      { host: 'flag', port: 2, environment: 'production' },
      ['flag', 2, 'production'],
    ],
    [
      'environment wins over the file',
      { HOST: 'env', PORT: '1', NODE_ENV: 'staging' },
      {},
      ['env', 1, 'staging'],
    ],
    ['the file wins over defaults', {}, {}, ['file', 3, 'production']],
    ['NODE_ENV=test says nothing', { NODE_ENV: 'test' }, {}, ['file', 3, 'production']],
    ['empty variables say nothing', { HOST: '', PORT: '' }, {}, ['file', 3, 'production']],
  ] as const)('%s', async (_name, env, overrides, expected) => {
    const server = { host: 'file', port: 3, environment: 'production' }
    const config = await configOf({ ...article, server }, { env, overrides })
    expect([config.server.host, config.server.port, config.server.environment]).toEqual(expected)
  })

  test('PORT must be a port', async () => {
    const { report } = await load({ object: article }, { env: { PORT: '99999' } })
    expect(report).toContain('error[CFG043]: the environment variable PORT is not a port number (0 to 65535)')
  })

  test('another database than that of the file', async () => {
    const object = { ...article, database: { client: 'sqlite', filename: 'a.db', pool: { max: 3 } } }
    const { database } = await configOf(object, { overrides: { database: { client: 'memory' } } })
    expect(database).toMatchObject({
      client: 'memory',
      filename: undefined,
      pool: { min: 0, max: 3, acquireTimeout: 5000 },
    })
  })
})

describe('what was read', () => {
  const text = `${articleText}data: ./seed.json\n`

  test('is listed, .env and seed files with it', async () => {
    const file = write({ 'cms.yaml': text, 'seed.json': '{"article":[{"title":"One"}]}' })
    const { files, config } = await load({ file })
    expect(files).toEqual([file, join(file, '../.env'), join(file, '../seed.json')])
    expect(config?.data).toEqual({ article: [{ title: 'One' }] })
  })

  test('has a hash that changes with each of them', async () => {
    const file = write({ 'cms.yaml': text, 'seed.json': '{}' })
    const hashes = [(await load({ file })).hash, (await load({ file })).hash]
    expect(hashes[0]).toBe(hashes[1])
    for (const [name, content] of [
      ['seed.json', '{"article":[]}'],
      ['.env', 'A=1'],
      ['cms.yaml', `${text}#`],
    ] as const) {
      writeFileSync(join(file, '..', name), content)
      hashes.push((await load({ file })).hash)
    }
    expect(new Set(hashes).size).toBe(4)
  })
})

describe('an object', () => {
  test('is reported on with the lines it would have as a file', async () => {
    const { report } = await load({ object: { contentTypes: { article: { atributes: {} } } } })
    expect(report).toBe(
      [
        'error[CFG012]: unknown key "atributes" in "article"',
        '  --> <config>:3:5',
        '  |',
        '3 |     atributes: {}',
        '  |     ^^^^^^^^^',
        '  = help: did you mean "attributes"?',
        '',
        '1 error in <config>',
        '',
      ].join('\n'),
    )
  })

  const circle: Record<string, unknown> = { ...article }
  circle['x-self'] = circle
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['text', 'contentTypes'],
    ['a list', []],
    ['a circle', circle],
    ['a function inside', { contentTypes: () => article }],
    ['a symbol inside', { ...article, rest: { prefix: Symbol('x') } }],
    ['a bigint inside', { ...article, rest: { defaultLimit: 10n ** 30n } }],
    ['a map inside', { contentTypes: new Map([[{}, 1]]) }],
    ['a prototype inside', JSON.parse('{"contentTypes":{"__proto__":{"attributes":{}}}}')],
  ])('%s is refused, not thrown at', async (_name, object) => {
    const { config, report } = await load({ object })
    expect(config).toBeUndefined()
    expect(report).toMatch(/^error\[CFG\d{3}\]/)
  })

  test('relative paths start at its directory', async () => {
    const file = write({ 'seed.yaml': 'article: [{ title: One }]' })
    const { config } = await load({
      object: { ...article, data: './seed.yaml' },
      directory: join(file, '..'),
    })
    expect(config?.data).toEqual({ article: [{ title: 'One' }] })
  })
})

test('a file cut after any byte is read or refused with a report, never thrown at', async () => {
  const text = [
    '# Ein Brötchen 🥐',
    'contentTypes:',
    '  article:',
    '    options: { draftAndPublish: true }',
    '    attributes:',
    '      title: { type: string, required: true }',
    '      secret:',
    '        type: string',
    '        private: true',
    '  &page page: { attributes: &attributes { <<: { a: text }, b: "te\\u0078t" } }',
    '  other: { attributes: *attributes }',
    'auth:',
    '  roles:',
    '    public:',
    '      permissions: [article.find]',
    'data:',
    '  article: [{ title: "Ein Brötchen 🥐" }]',
    '...',
    '',
  ].join('\r\n')
  const bytes = Buffer.from(text)
  const file = write({ 'cms.yaml': bytes })
  const whole = await load({ file })
  expect(whole.report).toBe('')
  let read = 0
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(file, bytes.subarray(0, length))
    const { config, report } = await load({ file })
    if (config === undefined) expect(report).toMatch(/^error\[CFG\d{3}\]/)
    else {
      read++
      const granted = Object.values(config.auth.roles).flatMap(({ permissions }) => permissions)
      expect(['', 'article.find']).toContain(granted.join())
    }
  }
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(bytes.length)
})

describe('size', () => {
  test('20,000 keys take about twenty times what 1,000 take', async () => {
    const textOf = (count: number) =>
      articleText + Array.from({ length: count }, (_, index) => `x-${index}: value\n`).join('')
    const time = async (count: number) => {
      const file = write({ 'cms.yaml': textOf(count) })
      const started = process.cpuUsage()
      expect((await load({ file })).report).toBe('')
      const { user, system } = process.cpuUsage(started)
      return user + system
    }
    await time(1000)
    const small = Math.min(await time(1000), await time(1000), await time(1000))
    const large = Math.min(await time(20_000), await time(20_000))
    // Of processor time, so that other programs do not count. Quadratic would be 400 times.
    expect(large / small).toBeLessThan(100)
  })

  test('5,000 attributes of one content-type are refused with one line', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => [
      `field${index}`,
      { type: 'string', nonsense: 1 },
    ])
    const { diagnostics } = await load({
      object: { contentTypes: { a: { attributes: Object.fromEntries(names) } } },
    })
    expect(diagnostics.filter(({ code }) => code === 'CFG015')).toMatchObject([
      { message: '"attributes" has 5000 keys; at most 1000 are allowed' },
    ])
  })

  test('5,000 attributes over many content-types are fine', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`field${index}`, 'string']),
    )
    const types = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`type-${index}`, { attributes }]),
    )
    expect(Object.keys((await configOf({ contentTypes: types })).contentTypes)).toHaveLength(10)
  })
})
