// Code written for Strapi 4, and for both: what policies, middlewares, hooks and extensions are given, by whichever way
// they are named, and what is said of what is not there.

import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, type CmsOptions, ConfigError, createCms } from '../../src/index.ts'
import type { EntryObject } from '../../src/query/rows/to-object.ts'
import type { PageOfEntries, StrapiCoreService } from '../../src/user-code/strapi-core-entries.ts'

const CONFIG = {
  contentTypes: { note: { attributes: { text: 'string', stars: { type: 'integer', default: 0 } } } },
  plugins: { graphql: true },
  auth: { roles: { public: { permissions: ['note.*'] } } },
  data: {
    note: [
      { id: 1, text: 'one', stars: 1 },
      { id: 2, text: 'two', stars: 2 },
    ],
  },
}

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-strapi-'))
})

afterEach(async () => {
  await cms?.close()
  cms = undefined
  await rm(folder, { recursive: true })
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/** A file of JSON, which is YAML. */
async function open(more: object = {}, options: CmsOptions = {}): Promise<void> {
  await write({ 'cms.yaml': JSON.stringify({ ...CONFIG, ...more }) })
  cms = await createCms(join(folder, 'cms.yaml'), { env: {}, ...options })
}

async function graphql(query: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await cms?.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) })
  return response?.json()
}

async function get(path: string): Promise<{ status: number; body: unknown; header(name: string): unknown }> {
  const response = await cms?.fetch(path)
  return {
    status: response?.status ?? 0,
    body: await response?.json(),
    header: (name) => response?.headers.get(name),
  }
}

const LIST = '{ notes { data { id } } }'

describe('what a policy is given', () => {
  /** Fails aloud where something is missing, so that a refusal is never taken for one of the policy's own. */
  const seen = `
    const seen = (config, tools) => JSON.stringify([
      config, Object.keys(config), typeof tools?.cms?.entries, typeof tools?.strapi?.plugin,
    ])`
  const forms: readonly (readonly [string, unknown, unknown])[] = [
    ['by name', 'seen', '[{},[],"function","function"]'],
    ['by name with a config', { name: 'seen', config: { a: 1 } }, '[{"a":1},["a"],"function","function"]'],
    ['as a file', './seen.js', '[{},[],"function","function"]'],
    ['by the name that Strapi gives it in an API', 'api::note.seen', '[{},[],"function","function"]'],
    ['by the name that Strapi gives a global one', 'global::seen', '[{},[],"function","function"]'],
  ]

  test.each(forms)('%s, over REST and GraphQL', async (_name, policy, expected) => {
    await write({
      'seen.js': `${seen}
        module.exports = (context, config, tools) => {
          throw new tools.cms.errors.PolicyError(seen(config, tools))
        }`,
    })
    await open({
      contentTypes: {
        note: { ...CONFIG.contentTypes.note, rest: { config: { find: { policies: [policy] } } } },
      },
      policies: { seen: './seen.js' },
      graphql: { resolversConfig: { 'Query.notes': { policies: [policy] } } },
    })
    expect((await get('/api/notes')).body).toMatchObject({ error: { message: expected } })
    expect(await graphql(LIST)).toMatchObject({ errors: [{ message: expected }] })
  })

  test.each([
    ['(context, { cms })', 'cms.entries("note").count()', undefined],
    ['(context, { strapi })', 'strapi.entityService.count("api::note.note")', undefined],
    ['(context, config, { cms })', 'cms.entries("note").count()', undefined],
    ['(context, config, { strapi })', 'strapi.entityService.count("api::note.note")', { least: 2 }],
    ['(context, { cms, least })', 'cms.entries("note").count()', { least: 2 }],
  ])('%s', async (parameters, count, config) => {
    const least = parameters.includes('least') ? 'least' : config === undefined ? '2' : 'config.least'
    await write({ 'policy.js': `module.exports = async ${parameters} => (await ${count}) === ${least}` })
    const policy = config === undefined ? './policy.js' : { name: './policy.js', config }
    await open({ graphql: { resolversConfig: { 'Query.notes': { policies: [policy] } } } })
    expect(await graphql(LIST)).toMatchObject({ data: { notes: { data: [{ id: '1' }, { id: '2' }] } } })
  })

  test('written inline in an extension', async () => {
    await open(
      {},
      {
        register({ graphql: { extension } }) {
          extension.use({
            resolversConfig: {
              'Query.notes': {
                policies: [
                  async (_context: unknown, { cms: own }: { cms: Cms }) =>
                    (await own.entries('note').count()) === 2,
                  (_context: unknown, config: object, { cms: own }: { cms: Cms }) =>
                    Object.keys(config).length === 0 && own.entries !== undefined,
                ],
              },
            },
          })
        },
      },
    )
    expect(await graphql(LIST)).toMatchObject({ data: { notes: { data: [{ id: '1' }, { id: '2' }] } } })
  })
})

describe('what makes a middleware is given', () => {
  const factory = `module.exports = (options, tools) => async (ctx, next) => {
    await next()
    ctx.set('x-seen', JSON.stringify([options, typeof tools.cms.entries, typeof tools.strapi.plugin]))
  }`
  test.each([
    ['by name', 'seen', '[{},"function","function"]'],
    ['by name with options', { name: 'seen', options: { a: 1 } }, '[{"a":1},"function","function"]'],
    ['as a file with options', { name: './seen.js', options: { a: 1 } }, '[{"a":1},"function","function"]'],
    ['by the name that Strapi gives it', 'api::note.seen', '[{},"function","function"]'],
  ])('%s', async (_name, middleware, expected) => {
    await write({ 'seen.js': factory })
    await open({
      contentTypes: {
        note: { ...CONFIG.contentTypes.note, rest: { config: { find: { middlewares: [middleware] } } } },
      },
      middlewares: { seen: './seen.js' },
    })
    expect((await get('/api/notes')).header('x-seen')).toBe(expected)
  })

  test('an owner check that finds its content-type by the route', async () => {
    await write({
      'is-owner.js': `module.exports = (config, { strapi }) => async (ctx, next) => {
        const { apiName } = ctx.state.route.info;
        const entry = await strapi.entityService.findOne(\`api::\${apiName}.\${apiName}\`, ctx.params.id);
        if (entry.stars !== 1) return ctx.unauthorized('This entry is not yours');
        ctx.set('x-handler', ctx.state.route.handler);
        await next();
      }`,
      'route.js': `module.exports = (ctx) => ({ route: ctx.state.route })`,
    })
    await open({
      contentTypes: {
        note: {
          ...CONFIG.contentTypes.note,
          rest: { config: { findOne: { middlewares: ['global::is-owner'] } } },
        },
      },
      middlewares: { 'is-owner': './is-owner.js' },
      routes: [{ path: '/own/:id', handler: './route.js', auth: false }],
    })
    expect((await get('/api/notes/1')).header('x-handler')).toBe('api::note.note.findOne')
    expect(await get('/api/notes/2')).toMatchObject({
      status: 401,
      body: { error: { message: 'This entry is not yours' } },
    })
    expect((await get('/api/own/1')).body).toEqual({
      route: { method: 'GET', path: '/api/own/:id', info: { type: 'content-api' } },
    })
  })

  test('a function with options makes one, too', async () => {
    const make = (options: object) => async (next: () => Promise<object>) => ({ ...(await next()), options })
    await open(
      {},
      {
        register: ({ graphql: { extension } }) =>
          extension.use({
            typeDefs: 'extend type NoteEntityResponseCollection { seen: String }',
            resolvers: {
              NoteEntityResponseCollection: {
                seen: ({ options }: { options: object }) => JSON.stringify(options),
              },
            },
            resolversConfig: { 'Query.notes': { middlewares: [{ name: make, options: { a: 1 } }] } },
          }),
      },
    )
    expect(await graphql('{ notes { seen } }')).toEqual({ data: { notes: { seen: '{"a":1}' } } })
  })
})

describe('names that only the program has', () => {
  const used = {
    contentTypes: {
      note: {
        ...CONFIG.contentTypes.note,
        rest: { config: { find: { policies: ['few'], middlewares: ['stamp'] } } },
      },
    },
    graphql: { resolversConfig: { 'Query.notes': { policies: [{ name: 'few', config: { most: 1 } }] } } },
  }
  const stamp = () => async (ctx: { set(name: string, value: string): void }, next: () => Promise<void>) => {
    await next()
    ctx.set('x-stamp', 'yes')
  }

  test('are used by the file', async () => {
    const few = async (_context: unknown, { most = 5, cms: own }: { most?: number; cms: Cms }) =>
      (await own.entries('note').count()) <= most
    await open(used, { policies: { few } as never, middlewares: { stamp } as never })
    expect((await get('/api/notes')).header('x-stamp')).toBe('yes')
    expect(await graphql(LIST)).toMatchObject({ errors: [{ message: 'Policy Failed' }] })
  })

  test('are unknown without it, and the one that was meant is named', async () => {
    await expect(open(used)).rejects.toThrow(/unknown policy "few"/)
    await expect(
      open(used, { policies: { fewer: () => true }, middlewares: { stamp } as never }),
    ).rejects.toThrow(/unknown policy "few"[\s\S]*there is only "fewer"/)
  })
})

// As Strapi's documentation has them, pasted: src/index.js, with what is in its folders named by files.
describe('an extension of Strapi, pasted', () => {
  const files = {
    'index.js': `
module.exports = {
  register({ strapi }) {
    const extensionService = strapi.plugin('graphql').service('extension');
    extensionService.shadowCRUD('api::note.note').disableAction('delete');
    extensionService.shadowCRUD('api::note.note').field('stars').disableInput();

    const extension = ({ nexus }) => ({
      types: [
        nexus.objectType({
          name: 'Book',
          definition(t) {
            t.string('title');
          },
        }),
      ],
      plugins: [
        nexus.plugin({
          name: 'MyPlugin',
          onAfterBuild(schema) {},
        }),
      ],
      typeDefs: \`
        type Query {
          best(stars: Int!): NoteEntityResponse
          top: NoteEntityResponseCollection
        }
      \`,
      resolvers: {
        Query: {
          best: {
            async resolve(parent, args, context) {
              const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes;
              const [found] = await strapi.entityService.findMany('api::note.note', { filters: { stars: args.stars } });
              return toEntityResponse(found ?? null, { args, resourceUID: 'api::note.note' });
            },
          },
          top: {
            async resolve(parent, args) {
              const { toEntityResponseCollection } = strapi.service('plugin::graphql.format').returnTypes;
              const notes = await strapi.entityService.findMany('api::note.note', { sort: 'stars:desc', fields: 'text' });
              return toEntityResponseCollection(notes, { args, resourceUID: 'api::note.note' });
            },
          },
        },
      },
      resolversConfig: {
        'Query.best': {
          auth: false,
          policies: [
            (context, { strapi }) => context.parent === undefined && strapi.log !== undefined,
            'api::note.is-open',
          ],
          middlewares: [
            async (next, parent, args, context, info) => {
              info.cacheControl.setCacheHint({ maxAge: 60, scope: 'PUBLIC' });
              return next(parent, args, context, info);
            },
            (resolve, parent, ...rest) => resolve(parent, ...rest),
          ],
        },
        'Query.top': { auth: { scope: ['api::note.note.find'] } },
      },
    });
    extensionService.use(extension);
    extensionService.use(({ strapi }) => ({
      typeDefs: 'extend type Note { loud: String }',
      resolvers: { Note: { loud: ({ text }) => strapi.entityService ? text.toUpperCase() : '' } },
    }));
  },

  async bootstrap({ strapi }) {
    await strapi.entityService.create('api::note.note', { data: { text: 'three', stars: 3 } });
    await strapi.entityService.update('api::note.note', 1, { data: { text: 'uno' } });
    await strapi.entityService.delete('api::note.note', 2);
  },
};`,
    'is-open.js': `module.exports = (policyContext, config, { strapi }) => policyContext.args.stars > 0`,
  }

  test('runs', async () => {
    await write(files)
    await open({
      extensions: './index.js',
      policies: { 'is-open': './is-open.js' },
      graphql: { resolversConfig: { 'Query.top': { policies: [{ cel: 'size(args) == 0' }] } } },
    })
    const query =
      '{ best(stars: 3) { data { id attributes { text loud } } } top { data { attributes { text } } } }'
    expect(await graphql(query)).toEqual({
      data: {
        best: { data: { id: '3', attributes: { text: 'three', loud: 'THREE' } } },
        top: { data: [{ attributes: { text: 'three' } }, { attributes: { text: 'uno' } }] },
      },
    })
    expect(await graphql('mutation { deleteNote(id: 1) { data { id } } }')).toMatchObject({
      errors: [{ message: expect.stringContaining('deleteNote') }],
    })
    expect(await graphql('{ best(stars: 0) { data { id } } }')).toMatchObject({
      errors: [{ message: 'Policy Failed' }],
    })
  })

  test('strapi.db.query, the schemas and the levels of the log', async () => {
    const seen: Record<string, unknown> = {}
    await open(
      {},
      {
        async bootstrap({ strapi }) {
          const notes = strapi.db.query('api::note.note')
          const data = [
            { text: 'three', stars: 3 },
            { text: 'four', stars: 3 },
          ]
          seen['made'] = await notes.createMany({ data })
          const [page, count] = await notes.findWithCount({
            where: { stars: { $gte: 2 } },
            orderBy: [{ stars: 'desc' }, { id: 'desc' }],
            select: ['text'],
            limit: 2,
            offset: 1,
          })
          seen['page'] = [count, ...page.map(({ text }) => text)]
          seen['one'] = (await notes.findOne({ where: { text: 'one' } }))?.['stars']
          seen['none'] = await notes.findOne({ where: { $or: [{ text: 'x' }, { stars: 9 }] } })
          const two = { where: { text: 'two' }, data: { stars: 7 } }
          seen['updated'] = (await notes.update(two))?.['stars']
          seen['missed'] = await notes.update({ ...two, where: { text: 'x' } })
          seen['many'] = await notes.updateMany({ where: { stars: 3 }, data: { stars: 4 } })
          seen['deleted'] = (await notes.delete({ where: { id: 1 } }))?.['text']
          seen['all'] = await strapi.query('api::note.note').deleteMany({ where: { stars: 4 } })
          seen['left'] = await notes.count()
          const asked = { _q: 'wo', fields: 'text' }
          seen['found'] = await strapi.entityService.findMany('api::note.note', asked)
          seen['default'] = strapi.contentType('api::note.note')?.attributes['stars']?.['default']
          seen['plural'] = strapi.contentTypes['api::note.note']?.info.pluralName
          seen['gone'] = strapi.contentType('api::gone.gone')
          for (const level of ['info', 'warn', 'error', 'http', 'verbose', 'debug', 'silly'] as const)
            strapi.log[level](`a line at ${level}`)
        },
      },
    )
    expect(seen).toMatchObject({
      made: { count: 2, ids: [3, 4] },
      page: [3, 'three', 'two'],
      ...{ one: 1, none: null, updated: 7, missed: null, many: { count: 2 }, deleted: 'one' },
      ...{ all: { count: 2 }, left: 1, found: [{ id: 2, text: 'two' }] },
      ...{ default: 0, plural: 'notes', gone: undefined },
    })
  })

  test.each(['strapi-4', 'strapi-5'] as const)('%s: core services of content-types', async (dialect) => {
    const seen: Record<string, unknown> = {}
    const types = {
      note: { drafts: true, attributes: { text: 'string', stars: 'integer' } },
      home: { kind: 'singleType', attributes: { title: 'string' } },
    }
    await open(
      {
        dialect,
        contentTypes: types,
        data: { note: [...CONFIG.data.note, { id: 3, text: 'three', publishedAt: null }] },
      },
      {
        async bootstrap({ strapi }) {
          const notes = strapi.service('api::note.note') as StrapiCoreService
          const home = strapi.service('api::home.home') as StrapiCoreService
          seen['page'] = await notes.find({
            sort: 'id:desc',
            pagination: { page: 1, pageSize: 1 },
            fields: 'text',
          })
          seen['offset'] = await notes.find({ pagination: { start: 1, limit: 5, withCount: false } })
          const made = await notes.create({ data: { text: 'made', stars: 5 } })
          const key = (made['documentId'] ?? made.id) as number | string
          seen['made'] = (await notes.findOne(key, { fields: ['stars'] }))?.['stars']
          seen['found'] = ((await notes.find({ filters: { stars: 5 } })) as PageOfEntries).results.length
          seen['changed'] = (await notes.update(key, { data: { stars: 6 } }))['stars']
          await notes.delete(key)
          seen['gone'] = await notes.findOne(key)
          seen['empty'] = await home.find()
          await home.createOrUpdate({ data: { title: 'first' } })
          await home.createOrUpdate({ data: { title: 'second' } })
          seen['home'] = ((await home.find()) as EntryObject | null)?.['title']
        },
      },
    )
    expect(seen).toMatchObject({
      page: { results: [{ text: 'two' }], pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
      offset: { results: [{ text: 'two' }], pagination: { start: 1, limit: 5 } },
      ...{ made: 5, found: 1, changed: 6, gone: null, empty: null, home: 'second' },
    })
  })

  test('strapi.db.query populates by the words of a query, and sees one version only', async () => {
    const relation = { type: 'relation', relation: 'manyToOne', target: 'api::note.note' }
    const types = { ...CONFIG.contentTypes, mark: { attributes: { name: 'string', note: relation } } }
    let found: unknown
    await open(
      { contentTypes: types, data: { ...CONFIG.data, mark: [{ name: 'a', note: 2 }] } },
      {
        async bootstrap({ strapi }) {
          const populate = { note: { select: ['stars'], where: { stars: { $gt: 1 } } } }
          found = await strapi.db.query('api::mark.mark').findMany({ populate, select: 'name' })
        },
      },
    )
    expect(found).toMatchObject([{ name: 'a', note: { id: 2, stars: 2 } }])
  })

  test.each([
    ['strapi.db.connection', 'strapi.db.connection is not there: read and write with strapi.db.query(uid)'],
    ['strapi.documents.use(() => {})', 'strapi.documents.use is there with "dialect: strapi-5"'],
    ['strapi.telemetry.send()', 'strapi.telemetry is not there: there are entityService, db'],
    ["strapi.service('api::gone.gone')", "strapi.service('api::gone.gone') is not there: entries are"],
    ["strapi.service('api::note.note').best()", "strapi.service('api::note.note').best is not there"],
    ["strapi.plugin('i18n').service('locales')", "strapi.service('plugin::i18n.locales') is not there"],
    ['strapi.entityService.search()', 'strapi.entityService.search is not there: there are findMany'],
    [
      "strapi.entityService.update('api::note.note', 1, { data: {}, pages: 1 })",
      'strapi.entityService takes no "pages" here; it takes filters, sort',
    ],
    [
      "strapi.db.query('api::note.note').delete({ filters: {} })",
      'strapi.db.query(…) takes no "filters" here; it takes where, select',
    ],
    ["strapi.db.query('api::note.note').load()", "strapi.db.query('api::note.note').load is not there"],
    [
      "(strapi.contentTypes['api::note.note'].attributes.extra = { type: 'text' })",
      'strapi.contentTypes cannot be changed: declare attributes in the file',
    ],
  ])('says what it cannot do: %s', async (call, message) => {
    await write({ 'index.js': `module.exports = { async bootstrap({ strapi }) { await ${call} } }` })
    const failure = await open({ extensions: './index.js' }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(message)
    expect(String(failure)).toContain('index.js:1')
  })

  test('it can be waited for, printed and looked at like any object', async () => {
    let printed = ''
    await open(
      {},
      {
        async bootstrap({ strapi }) {
          const same = await strapi
          printed = `${JSON.stringify(same)} ${'db' in strapi} ${typeof strapi.log.info}`
        },
      },
    )
    expect(printed).toBe(
      '{"entityService":{},"db":{"lifecycles":{}},"contentAPI":{"validate":{},"sanitize":{}},"requestContext":{},"log":{},"plugins":{}} true function',
    )
  })
})

describe('the global strapi', () => {
  const routes = [{ path: '/count', handler: './count.js', auth: false }]
  const files = {
    'count.js': `
      const notes = () => strapi.entityService.count('api::note.note')
      module.exports = async () => ({ count: await notes(), kind: typeof strapi })`,
    'own.js': `
      module.exports = async (context) => context.query.no === undefined || (await strapi.db.query('api::note.note').count()) > 9`,
    'made.js': `
      const known = strapi => strapi.length
      module.exports = () => {
        const uids = Object.keys(strapi.contentTypes).length
        return async (ctx, next) => {
          await next()
          ctx.set('x-types', String(uids > 0 && known('abc')))
          ctx.set('x-notes', String(await strapi.service('api::note.note').find({}).then(({ results }) => results.length)))
        }
      }`,
    'extensions.js': `
      module.exports = {
        register() { strapi.log.info('registered') },
        async bootstrap() { await strapi.entityService.create('api::note.note', { data: { text: 'three' } }) },
        lifecycles: { note: { async beforeCreate({ params }) { params.data.stars = await strapi.query('api::note.note').count() } } },
      }`,
  }
  const config = {
    routes,
    policies: { own: './own.js' },
    middlewares: { made: './made.js' },
    extensions: './extensions.js',
    contentTypes: {
      note: {
        ...CONFIG.contentTypes.note,
        rest: { config: { find: { policies: ['own'], middlewares: ['made'] } } },
      },
    },
  }

  test('is there for hooks, policies, middlewares and handlers', async () => {
    await write(files)
    await open(config)
    expect((await get('/api/count')).body).toEqual({ count: 3, kind: 'object' })
    expect((await get('/api/notes?no=1')).status).toBe(403)
    const { status, body, header } = await get('/api/notes')
    expect([status, header('x-types'), header('x-notes')]).toEqual([200, '3', '3'])
    expect(body).toMatchObject({ data: [{}, {}, { attributes: { text: 'three', stars: 2 } }] })
  })

  test('is that of the app that serves, also after an edit that is refused', async () => {
    await write(files)
    await open(config)
    const edit = (extensions: string, more: object) =>
      write({
        'extensions.js': extensions,
        'cms.yaml': JSON.stringify({ ...CONFIG, ...config, ...more }),
      })
    await edit(files['extensions.js'], {
      contentTypes: { ...config.contentTypes, tag: { attributes: { name: 'string' } } },
    })
    await cms?.reload()
    expect((await get('/api/count')).body).toMatchObject({ count: 4 })
    await edit(
      `${files['extensions.js']}
      module.exports.bootstrap = async () => { throw new Error(Object.keys(strapi.contentTypes).join()) }`,
      {},
    )
    await expect(cms?.reload()).rejects.toThrow(
      /bootstrap\(\) failed: Error: (?!.*api::tag).*api::note\.note/,
    )
    expect((await get('/api/count')).body).toMatchObject({ count: 4 })
    expect((await get('/api/notes')).header('x-notes')).toBe('4')
  })

  test('two programs with the same file have their own', async () => {
    await write(files)
    await open(config)
    await using other = await createCms(join(folder, 'cms.yaml'), { env: {} })
    await other.entries('note').delete(1)
    expect(await (await other.fetch('/api/count')).json()).toMatchObject({ count: 2 })
    expect((await get('/api/count')).body).toMatchObject({ count: 3 })
  })

  test('is not there while a file is loaded', async () => {
    await write({ ...files, 'count.js': 'const { log } = strapi\nmodule.exports = () => log' })
    await expect(open(config)).rejects.toThrow(
      /USR002.*strapi is not there while files are loaded: use it in register\(\), bootstrap\(\) or later[\s\S]*count\.js:1/,
    )
  })
})

describe("the service of Strapi's email plugin", () => {
  const handler = (call: string) => ({
    'mail.js': `module.exports = async (ctx) => { await ${call}; return { sent: true } }`,
  })
  const routes = [{ path: '/mail', handler: './mail.js', auth: false }]
  const mail = "{ to: 'ann@example.com', from: undefined, subject: 'Hello', html: '<p>Come <b>in</b></p>' }"
  test.each([
    `strapi.plugin('email').service('email').send(${mail})`,
    `strapi.plugins['email'].services.email.send(${mail})`,
    `strapi.service('plugin::email.email').send(${mail})`,
  ])('sends mails, with a text made of the HTML: %s', async (call) => {
    await write(handler(call))
    await open({ routes, plugins: { email: true } })
    expect((await get('/api/mail')).body).toEqual({ sent: true })
    expect(cms?.outbox).toMatchObject([
      { to: 'ann@example.com', subject: 'Hello', text: 'Come in', html: '<p>Come <b>in</b></p>' },
    ])
  })

  test.each([
    ["strapi.service('plugin::email.email').send({})", {}, 'write "plugins: { email: true }"'],
    [
      "strapi.service('plugin::email.email').send({ cc: 'bob@example.com' })",
      { email: true },
      'a mail takes no "cc" here',
    ],
    [
      "strapi.service('plugin::email.email').getProviderSettings()",
      { email: true },
      'getProviderSettings is not there',
    ],
    [
      'strapi.plugins.i18n.services.locales.find()',
      { email: true },
      "strapi.service('plugin::i18n.locales') is not there",
    ],
  ])('says what it cannot do: %s', async (call, plugins, message) => {
    await write({ 'index.js': `module.exports = { async bootstrap() { await ${call} } }` })
    await expect(open({ extensions: './index.js', plugins })).rejects.toThrow(message)
  })
})

describe('lifecycles of a content-type', () => {
  const withHooks = (file: string) => ({
    contentTypes: { note: { ...CONFIG.contentTypes.note, lifecycles: file } },
  })
  const files: readonly (readonly [string, string])[] = [
    ['lifecycles.js', 'module.exports = { HOOKS }'],
    ['lifecycles.mjs', 'export default { HOOKS }'],
    ['lifecycles.ts', 'export const HOOK = HOOK_OF'],
  ]
  test.each(files)(
    '%s: runs with every write of the type, before those of extensions',
    async (file, text) => {
      const hook =
        "async (event) => { event.params.data.text += '!'; event.params.data.stars = await strapi.query(event.model.uid).count() }"
      await write({
        [file]: text
          .replace('HOOKS', `beforeCreate: ${hook}`)
          .replace('HOOK = HOOK_OF', `beforeCreate = ${hook.replace('(event)', '(event: any)')}`),
        'extensions.js':
          "module.exports = { lifecycles: { note: { beforeCreate({ params }) { params.data.text += '?' } } } }",
      })
      await open({ ...withHooks(`./${file}`), extensions: './extensions.js' })
      expect(await cms?.entries('note').create({ text: 'three' })).toMatchObject({
        text: 'three!?',
        stars: 2,
      })
    },
  )

  test.each([
    [
      'module.exports = { beforeCreat() {} }',
      /USR008.*lifecycles of "api::note.note" have no function "beforeCreat"[\s\S]*cms\.yaml:1:[\s\S]*did you mean "beforeCreate"/,
    ],
    ['module.exports = () => {}', /USR008.*lifecycles of "api::note.note" are functions by name/],
    ['nope()', /USR002.*nope is not defined/],
  ])('a mistake is reported at its key: %s', async (text, report) => {
    await write({ 'hooks.js': text })
    await expect(open(withHooks('./hooks.js'))).rejects.toThrow(report)
  })
})

test('packages in CommonJS have named imports, also where Node sees none', async () => {
  for (const name of ['odd', 'compiled', 'modern'])
    await mkdir(join(folder, 'node_modules', name), { recursive: true })
  const main = (name: string) => `node_modules/${name}/index.js`
  await write({
    [main('odd')]:
      "const all = {}; for (const name of ['set', 'get']) all[name] = () => name; module.exports = all",
    [main('compiled')]:
      "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 'compiled'",
    [main('modern')]: "export const on = 'modern'; export default 'main'",
    'node_modules/modern/package.json': '{ "type": "module" }',
    'all.ts': `import { set } from 'odd'
      import * as odd from 'odd'
      import whole from 'odd'
      import compiled from 'compiled'
      import main, { on } from 'modern'
      throw new Error([set(), odd.get(), whole.set(), compiled(), main, on].join())`,
    'cms.yaml': JSON.stringify({
      ...CONFIG,
      routes: [{ path: '/all', handler: './all.ts', auth: false }],
    }),
  })
  // A process of its own: here, Vite would find the names.
  const command = [join(import.meta.dirname, '../../bin/cms-run.js'), 'validate']
  const { stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toContain('Error: set,get,set,compiled,main,modern')
})

describe('@strapi/utils', () => {
  const rest = (name: string) => ({ rest: { config: { find: { policies: [`./${name}`] } } } })
  const answer = async (name: string, text: string) => {
    await write({ [name]: text })
    await open({ contentTypes: { note: { ...CONFIG.contentTypes.note, ...rest(name) } } })
    return get('/api/notes')
  }
  const policy = "throw new errors.PolicyError('not today', { policy: 'closed' })"
  test.each([
    ['closed.js', `const { errors } = require('@strapi/utils')\nmodule.exports = () => { ${policy} }`],
    ['closed.js', `const errors = require('@strapi/utils').errors\nmodule.exports = () => { ${policy} }`],
    [
      'closed.ts',
      `import utils from '@strapi/utils'\nconst { errors } = utils\nexport default () => { ${policy} }`,
    ],
    ['closed.ts', `import { errors } from '@strapi/utils'\nexport default () => { ${policy} }`],
  ])('%s: %s: its errors are the answer', async (name, text) => {
    expect((await answer(name, text)).body).toMatchObject({
      error: { status: 403, name: 'PolicyError', message: 'not today', details: { policy: 'closed' } },
    })
  })

  test('an error of the user extends one', async () => {
    const own = `const { ValidationError } = require('@strapi/utils').errors
      class Own extends ValidationError {}
      module.exports = () => { throw new Own('my own') }`
    expect((await answer('own.js', own)).body).toMatchObject({ error: { status: 400, message: 'my own' } })
  })

  test('a part that is not there throws when it is called, and says what to use', async () => {
    await write({
      'seen.js': `const { pagination, yup } = require('@strapi/utils')
        module.exports = async (ctx, config, { cms }) => {
          try { await pagination.get({}, {}) } catch (error) { throw new cms.errors.PolicyError(error.message) }
        }`,
    })
    await open({ contentTypes: { note: { ...CONFIG.contentTypes.note, ...rest('seen.js') } } })
    expect((await get('/api/notes')).body).toMatchObject({
      error: {
        message: expect.stringContaining(
          'pagination of @strapi/utils is not there: strapi.service(uid).find()',
        ),
      },
    })
  })
})

test('a TypeScript file that exports and assigns module.exports is what TypeScript makes of it', async () => {
  await write({
    'mixed.ts': `import { factories } from '@strapi/strapi'
import { word } from './word'

export default factories.createCoreService('api::note.note')

module.exports = (ctx: { body: unknown }) => {
  ctx.body = { word }
}
`,
    'word.ts': "export const word: string = 'assigned'",
  })
  await open({ routes: [{ path: '/mixed', handler: './mixed.ts', auth: false }] })
  expect(await (await cms?.fetch('/api/mixed'))?.json()).toEqual({ word: 'assigned' })
})
