// Code of a Strapi project that guards permissions: what is found without running it, and what is not granted then.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { findGuards } from '../../src/strapi/import/code/find-guards.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { packExport } from './strapi-fixtures.ts'

type Files = Readonly<Record<string, string>>

const CORE = `const { createCoreRouter } = require('@strapi/strapi').factories
module.exports = createCoreRouter('api::note.note')`
const coreWith = (options: string): string => CORE.replace("note')", `note', ${options})`)
/** As Strapi's guides write it. */
const combined = (routes: string, options = '{}'): string =>
  `const { createCoreRouter } = require('@strapi/strapi').factories
const defaultRouter = createCoreRouter('api::note.note', ${options})
const customRouter = (innerRouter, extraRoutes = []) => {
  let routes
  return {
    get prefix() { return innerRouter.prefix },
    get routes() { if (!routes) routes = ${routes}; return routes },
  }
}
const myExtraRoutes = [{ method: 'GET', path: '/notes/feature/:feature', handler: 'note.findFeature' }]
module.exports = customRouter(defaultRouter, myExtraRoutes)`
const ROUTES = 'src/api/note/routes/note.js'
const CONTROLLER = 'src/api/note/controllers/note.js'
const controller = (body: string): string =>
  `const { createCoreController } = require('@strapi/strapi').factories\nmodule.exports = createCoreController('api::note.note', ${body})`
const ALL = ['find', 'findOne', 'create', 'update', 'delete']
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: false },
  attributes: { text: { type: 'string' } },
}

function writeFiles(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    if (text === '') continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

function writeProject(folder: string, files: Files): string {
  return writeFiles(folder, {
    'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '5.10.0' } }),
    'src/api/note/content-types/note/schema.json': JSON.stringify(note),
    [ROUTES]: CORE,
    ...files,
  })
}

/** `fault`: why no file can be carried over. */
async function guardsIn(files: Files, fault?: string) {
  const folder = writeProject(newFolder(), files)
  return findGuards(folder, new Map([['api::note.note', note]]), { findLoadFault: async () => fault })
}

async function granted(files: Files): Promise<readonly string[]> {
  const guards = await guardsIn(files, 'a package is missing')
  return ALL.filter((action) => guards.reasons(`api::note.note.${action}`).length === 0)
}

const without = (...names: readonly string[]): readonly string[] => ALL.filter((one) => !names.includes(one))

describe('what is granted of a type whose files cannot be loaded', () => {
  test.each<readonly [string, Files, readonly string[]]>([
    ['a plain router', {}, ALL],
    ['an empty file of routes beside it', { 'src/api/note/routes/empty.js': '\n' }, ALL],
    ['a router put together', { [ROUTES]: combined('innerRouter.routes.concat(extraRoutes)') }, ALL],
    [
      'a router put together with guards',
      {
        [ROUTES]: combined(
          '[...extraRoutes, ...innerRouter.routes]',
          "{ config: { find: { policies: ['x'] } } }",
        ),
      },
      without('find'),
    ],
    ['a router put together by other code', { [ROUTES]: combined('guard(innerRouter.routes)') }, []],
    [
      'a router put together from something that is not a router',
      { [ROUTES]: combined('innerRouter.routes.concat(extraRoutes)').replace('createCoreRouter(', 'other(') },
      [],
    ],
    ['no router', { [ROUTES]: '' }, []],
    [
      'an empty config',
      { [ROUTES]: coreWith('{ config: { find: { policies: [], middlewares: [] } } }') },
      ALL,
    ],
    ['policies', { [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }") }, without('find')],
    [
      'middlewares',
      { [ROUTES]: coreWith("{ config: { findOne: { middlewares: ['x'] } } }") },
      without('findOne'),
    ],
    ['auth', { [ROUTES]: coreWith("{ config: { create: { auth: { scope: ['x'] } } } }") }, without('create')],
    [
      'a list in a constant',
      { [ROUTES]: `const own = ['x'];${coreWith('{ config: { find: { policies: own } } }')}` },
      without('find'),
    ],
    [
      'a list that is changed',
      {
        [ROUTES]: `const own = [];const no = own.push('x');${coreWith('{ config: { find: { policies: own } } }')}`,
      },
      without('find'),
    ],
    [
      'a config from elsewhere',
      { [ROUTES]: `const own = require('./own');${coreWith('{ config: { find: own } }')}` },
      without('find'),
    ],
    ['what is spread into it', { [ROUTES]: coreWith('{ config: { ...shared } }') }, []],
    ['only', { [ROUTES]: coreWith("{ only: ['find'] }") }, ['find']],
    ['except', { [ROUTES]: coreWith("{ except: ['delete'] }") }, without('delete')],
    ['routes of the admin panel', { [ROUTES]: coreWith("{ type: 'admin' }") }, []],
    ['a router of its own', { [ROUTES]: 'module.exports = wrap(require("./x"))' }, []],
    [
      'a function of the same name',
      {
        [ROUTES]:
          "const createCoreRouter = require('../wrap');module.exports = createCoreRouter('api::note.note')",
      },
      [],
    ],
    [
      'a router that is changed',
      {
        [ROUTES]: `${CORE.replace('module.exports', 'const router')}\nrouter.routes[0].config = {}\nmodule.exports = router`,
      },
      [],
    ],
    ['a file with a mistake', { [ROUTES]: 'module.exports = {' }, []],
    [
      'TypeScript',
      {
        [ROUTES]: '',
        'src/api/note/routes/note.ts':
          "import { factories } from '@strapi/strapi'\nexport default factories.createCoreRouter('api::note.note', { config: { find: { policies: ['x'] as const } } } as any)",
      },
      without('find'),
    ],
    [
      'JSON',
      {
        'src/api/note/routes/more.json':
          '{"routes":[{"method":"GET","path":"/mine","handler":"note.find","config":{"policies":["x"]}}]}',
      },
      without('find'),
    ],
    [
      'a route of its own, plain',
      {
        'src/api/note/routes/more.js':
          "module.exports = { routes: [{ method: 'GET', path: '/mine', handler: 'note.find' }] }",
      },
      ALL,
    ],
    [
      'a route of its own, guarded',
      {
        'src/api/note/routes/more.mjs':
          "export default { routes: [{ method: 'GET', path: '/mine', handler: 'api::note.note.find', config: { policies: ['x'] } }] }",
      },
      without('find'),
    ],
    [
      'another answer at the same path',
      {
        'src/api/note/routes/01.js':
          "module.exports = { routes: [{ method: 'GET', path: '/notes/:slug', handler: 'note.bySlug' }] }",
      },
      without('findOne'),
    ],
    [
      'a pattern',
      {
        'src/api/note/routes/01.js':
          "module.exports = { routes: [{ method: 'GET', path: '/(.*)', handler: 'note.bySlug' }] }",
      },
      [],
    ],
    ['a plain controller', { [CONTROLLER]: controller('').replace(', )', ')') }, ALL],
    [
      'a controller with actions of its own',
      { [CONTROLLER]: controller('({ strapi }) => ({ async count(ctx) { return 1 } })') },
      ALL,
    ],
    [
      'a controller that checks owners',
      {
        [CONTROLLER]: controller(
          '({ strapi }) => ({ async find(ctx) { if (/[)"`]/.test(ctx.x)) return `x(`; return super.find(ctx) }, delete: async (ctx) => {} })',
        ),
      },
      without('find', 'delete'),
    ],
    [
      'a controller that returns from a block',
      { [CONTROLLER]: controller('({ strapi }) => { return { update(ctx) {} } }') },
      without('update'),
    ],
    [
      'a controller that cleans every answer',
      { [CONTROLLER]: controller('() => ({ sanitizeOutput(data) {} })') },
      [],
    ],
    [
      'a controller of another type',
      { [CONTROLLER]: controller('').replace("note.note', )", "memo.memo')") },
      [],
    ],
    [
      'a controller whose uid is a constant, which its methods use, too',
      {
        'src/api/note/controllers/note.ts': `import { factories } from '@strapi/strapi'
const { createCoreController } = factories
const UID = \`api::note.note\` as const
export default createCoreController(UID as any, ({ strapi }) => ({ update: (ctx) => strapi.documents(UID).count() }))`,
      },
      without('update'),
    ],
    [
      'a service and a router whose uid is a constant that functions read',
      {
        'src/api/note/services/note.ts': `import { factories } from '@strapi/strapi'
const uid = 'api::note.note'
function count() { return strapi.query(uid).count() }
export default factories.createCoreService(uid, () => ({ count }))`,
        [ROUTES]: `const uid = 'api::note.note'\nconst log = () => console.log(uid)\n${CORE.replace("'api::note.note'", 'uid')}`,
      },
      ALL,
    ],
    [
      'a controller whose uid a function changes',
      {
        [CONTROLLER]: `let uid = 'api::note.note'\nfunction change() { uid = 'api::memo.memo' }\n${controller('').replace("'api::note.note'", 'uid')}`,
      },
      [],
    ],
    [
      'a policy whose name is a parameter',
      {
        [ROUTES]: `const own = false\n${coreWith('{ config: ((own) => ({ find: { policies: own } }))() }')}`,
      },
      [],
    ],
    ['a controller that is a class', { [CONTROLLER]: 'export default class Note { find() {} }' }, []],
    [
      'a service of the type',
      {
        'src/api/note/services/note.js':
          "const { factories } = require('@strapi/strapi')\nmodule.exports = factories.createCoreService('api::note.note', () => ({ findOne() {} }))",
      },
      without('findOne'),
    ],
    ['a service of its own', { 'src/api/note/services/mail.js': 'module.exports = class {}' }, ALL],
    [
      'middlewares of Strapi',
      {
        'config/middlewares.js':
          "module.exports = ({ env }) => ['strapi::errors', { name: 'strapi::cors', config: { origin: env('A') } }]",
      },
      ALL,
    ],
    [
      'a global middleware',
      { 'config/middlewares.ts': "export default ['strapi::errors', 'global::own']" },
      [],
    ],
    [
      'a global middleware of an environment',
      { 'config/env/production/middlewares.js': "module.exports = [{ resolve: './x' }]" },
      [],
    ],
    ['middlewares that are computed', { 'config/middlewares.js': 'module.exports = list()' }, []],
    [
      'an empty start',
      {
        'src/index.js': 'module.exports = { register() {}, bootstrap({ strapi }) { strapi.log.info("x") } }',
      },
      ALL,
    ],
    [
      'a start that hooks in',
      { 'src/index.js': 'module.exports = { bootstrap({ strapi }) { strapi.documents.use(() => {}) } }' },
      [],
    ],
    [
      'a start that hooks in elsewhere',
      {
        'src/index.ts': "import { start } from './start'\nexport default { bootstrap: start }",
        'src/start.ts': 'export const start = ({ strapi }: any) => strapi.server.use(1)',
      },
      [],
    ],
    [
      'a start that serves sockets beside, and trusts a proxy',
      {
        'src/index.js':
          "module.exports = { register({ strapi }) { strapi.server.app.proxy = true; new (require('socket.io').Server)(strapi.server.httpServer, {}) } }",
      },
      ALL,
    ],
    [
      'a start that hears requests of the server',
      {
        'src/index.js':
          "module.exports = { bootstrap({ strapi }) { strapi.server.httpServer.on('request', f) } }",
      },
      [],
    ],
    [
      'settings of resolvers',
      {
        'src/index.js':
          "module.exports = { register({ strapi }) { f({ resolversConfig: { 'Query.notes': { policies: ['x'] } } }) } }",
      },
      [],
    ],
  ])('%s', async (_name, files, expected) => {
    expect(await granted(files)).toEqual(expected)
  })
})

test('an extension of a plugin guards what the plugin answers', async () => {
  const guards = await guardsIn({
    'src/extensions/users-permissions/strapi-server.js':
      'module.exports = (p) => { change(p); p.services.jwt = {}; return p }',
    'src/extensions/email/strapi-server.js': 'module.exports = (p) => p',
  })
  expect(guards.reasons('plugin::users-permissions.user.find')).toEqual([
    'src/extensions/users-permissions/strapi-server.js may change what the plugin answers (it changes services of the plugin)',
  ])
  expect(guards.reasons('plugin::email.email.send')).toEqual([
    'src/extensions/email/strapi-server.js may change what the plugin answers (only users-permissions can be changed)',
  ])
  expect(guards.reasons('plugin::upload.content-api.find')).toEqual([])
})

test('a link is followed, or counts as a guard', async () => {
  const folder = writeProject(newFolder(), { 'elsewhere.js': controller('{ find() {} }') })
  mkdirSync(join(folder, 'src/api/note/controllers'))
  symlinkSync(join(folder, 'elsewhere.js'), join(folder, CONTROLLER))
  const findLoadFault = async () => 'no'
  const guards = await findGuards(folder, new Map([['api::note.note', note]]), { findLoadFault })
  expect(guards.reasons('api::note.note.find')).toEqual([
    `${CONTROLLER} answers find itself (cannot be loaded: no)`,
  ])
})

test('constants that double each other are read once', async () => {
  const doubled = Array.from({ length: 60 }, (_, index) => `const a${index + 1} = [a${index}, a${index}];`)
  const text = `const a0 = ['x'];${doubled.join('')}${coreWith('{ config: { find: { policies: a60 } } }')}`
  expect(await granted({ [ROUTES]: text })).toEqual(without('find'))
  const deep = `module.exports = ${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(await granted({ [ROUTES]: deep })).toEqual([])
})

describe('which guards by file are kept', () => {
  const OWN = 'module.exports = () => true'
  const CLOSED = { find: { closed: expect.any(String) } }
  const MORE = 'src/api/note/routes/more.js'
  test.each<readonly [name: string, files: Files, kept: unknown]>([
    [
      'a policy of the API before a global one of the same name',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own', 'global::own'] } } }"),
        'src/policies/own.js': OWN,
        'src/api/note/policies/own.ts': 'export default () => true',
      },
      { find: { policies: ['own', 'global--own'] } },
    ],
    [
      'settings',
      {
        [ROUTES]: coreWith(
          "{ config: { find: { policies: [{ name: 'own', config: { least: -3, of: ['a', null] } }], middlewares: [{ name: 'api::note.log', config: { on: true } }] } } }",
        ),
        'src/policies/own.js': OWN,
        'src/api/note/middlewares/log.js': OWN,
      },
      {
        find: {
          policies: [{ name: 'own', config: { least: -3, of: ['a', null] } }],
          middlewares: [{ name: 'log', options: { on: true } }],
        },
      },
    ],
    [
      'a name that begins with a digit',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['global::1st'] } } }"),
        'src/policies/1st.js': OWN,
      },
      { find: { policies: ['global--1st'] } },
    ],
    [
      'not one that is computed',
      { [ROUTES]: coreWith('{ config: { find: { policies: [() => true] } } }') },
      CLOSED,
    ],
    [
      'not with settings that are computed',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: [{ name: 'own', config: { at: now() } }] } } }"),
        'src/policies/own.js': OWN,
      },
      CLOSED,
    ],
    [
      'a policy that is an object with a handler',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }"),
        'src/policies/own.js': 'module.exports = { name: "own", validator() {}, handler: () => true }',
      },
      { find: { policies: ['own'] } },
    ],
    [
      'not a policy that is another object',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }"),
        'src/policies/own.js': 'module.exports = { check: () => true }',
      },
      CLOSED,
    ],
    [
      'not beside a scope',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'], auth: { scope: ['x'] } } } }"),
        'src/policies/own.js': OWN,
      },
      CLOSED,
    ],
    [
      'not beside one that is missing',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'], middlewares: ['gone'] } } }"),
        'src/policies/own.js': OWN,
      },
      CLOSED,
    ],
    [
      'not from elsewhere',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['global::../../own', 'api::../...own'] } } }"),
        'own.js': OWN,
      },
      CLOSED,
    ],
    [
      'not at a path that a configuration cannot name',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }"),
        'src/policies/own.cts': 'export = () => true',
      },
      CLOSED,
    ],
    [
      'neither of two routers',
      {
        [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }"),
        [MORE]: coreWith("{ config: { find: { policies: ['other'] } } }"),
        'src/policies/own.js': OWN,
        'src/policies/other.js': OWN,
      },
      CLOSED,
    ],
  ])('%s', async (_name, files, kept) => {
    const guards = await guardsIn(files)
    expect(guards.carried.options.get('api::note.note')).toEqual(kept)
    const isGranted = guards.reasons('api::note.note.find').length === 0
    expect(isGranted).toBe(kept !== CLOSED)
  })

  test('not a file that cannot be loaded', async () => {
    const cwd = newFolder()
    const project = writeProject(join(cwd, 'project'), {
      [ROUTES]: coreWith("{ config: { find: { policies: ['own'] } } }"),
      'src/policies/own.js': "const fetch = require('no-such-package')\nmodule.exports = () => true",
    })
    const { code, err } = await runCommand(['import', '--strapi', project, '--into', join(cwd, 'cms.yaml')], {
      cwd,
    })
    expect(code, err).toBe(0)
    expect(err).toContain(
      'GET /api/notes has policies (src/policies/own.js cannot be loaded: Could not resolve "no-such-package"): api::note.note.find is not granted',
    )
    expect(parse(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).policies).toBeUndefined()
  })
})

test('parts of strapi that are not here are named, once for each file', async () => {
  const { notes } = await guardsIn({
    'src/index.ts': `import type { Core } from '@strapi/strapi'

export default {
  async bootstrap({ strapi }: { strapi: Core.Strapi }) {
    strapi.log.info('strapi.config')
    await strapi.store({ type: 'core' }).get({ key: 'a' })
    await strapi.store({ type: 'core' }).get({ key: 'b' })
    strapi.db.connection.raw('select 1'); strapi.db.query('api::note.note')
  },
}`,
    'src/api/note/content-types/note/lifecycles.js':
      'module.exports = { beforeCreate() { strapi.documents.use(() => {}); strapi.telemetry.send() } }',
    'src/admin/app.js': 'strapi.config.get("a")',
  })
  expect(notes.report.missing.filter((note) => note.includes('is not there'))).toEqual([
    'src/index.ts:8: strapi.db.connection is not there: read and write with strapi.db.query(uid); SQL of your own is not run',
    'src/api/note/content-types/note/lifecycles.js:1: strapi.telemetry is not there: use cms',
  ])
})

describe('lifecycles', () => {
  const PLACE = 'src/api/note/content-types/note/lifecycles.js'
  test.each([
    [
      'known hooks',
      "module.exports = { beforeCreate(event) { event.params.data.text = 'x' }, afterUpdate: async () => {} }",
      'is kept',
    ],
    ['a hook that is not here', 'module.exports = { beforeFindMany() {} }', 'there is no beforeFindMany'],
    [
      'parts that are not here',
      'module.exports = { beforeCreate() { strapi.eventHub.emit("x") } }',
      'it asks for parts of strapi',
    ],
    ['a module that is computed', 'module.exports = require("./more")', 'it is not understood'],
  ])('%s', async (_name, text, note) => {
    const { carried, notes } = await guardsIn({ [PLACE]: text })
    expect(notes.list.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(new RegExp(`^${PLACE} .*${note}`)),
    )
    expect(carried.lifecycles.get('api::note.note')).toBe(note === 'is kept' ? `./${PLACE}` : undefined)
  })

  test('run after the import', async () => {
    const cwd = newFolder()
    const project = writeProject(join(cwd, 'project'), {
      [PLACE]: 'module.exports = { beforeCreate({ params }) { params.data.text += "!" } }',
    })
    const file = join(cwd, 'cms.yaml')
    const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
    expect(code, err).toBe(0)
    await using cms = await createCms(file, { env: {} })
    expect(await cms.entries('note').create({ text: 'new' })).toMatchObject({ text: 'new!' })
  })
})

const GUARDED = {
  [ROUTES]: coreWith(`{
    config: {
      find: { middlewares: ['global::is-owner'] },
      findOne: { policies: ['plugin::other.seen'] },
      create: { auth: false },
    },
  }`),
  'src/middlewares/is-owner.js': 'throw new Error("this must not run")',
  'src/policies/unused.js': 'throw new Error("this must not run")',
}

async function writeExport(to: string): Promise<string> {
  const actions = ['find', 'findOne'].map((action) => `api::note.note.${action}`)
  const permissions = actions.map((action, index) => ({
    type: 'plugin::users-permissions.permission',
    id: index + 1,
    data: { action },
  }))
  const role = { name: 'Public', description: '', type: 'public' }
  return packExport(to, {
    schemas: [{ ...note, uid: 'api::note.note' }],
    entities: [
      { type: 'plugin::users-permissions.role', id: 1, data: role },
      ...permissions,
      { type: 'api::note.note', id: 1, data: { text: 'of A', documentId: 'a'.repeat(24) } },
    ],
    links: permissions.map(({ type, id }) => ({
      kind: 'relation.basic',
      relation: 'manyToOne',
      left: { type, ref: id, field: 'role' },
      right: { type: 'plugin::users-permissions.role', ref: 1 },
    })),
    configuration: [],
    files: {},
    metadata: { strapi: { version: '5.10.0' } },
  })
}

const PLACE =
  'src/api/note/routes/note.js:5: GET /api/notes/:id has policies (plugin::other.seen is not a file of src/policies or src/api/note/policies)'

test('an export in its project: a guard by file is kept, another is a comment; no code runs', async () => {
  const project = writeProject(newFolder(), GUARDED)
  const archive = await writeExport(join(project, 'seed-data.tar.gz'))
  const cwd = newFolder()
  const { code, err } = await runCommand(['import', '--strapi', archive, '--into', join(cwd, 'cms.yaml')], {
    cwd,
  })
  expect(code, err).toBe(0)
  expect(err).toContain(`${PLACE}: api::note.note.findOne is not granted`)
  expect(err).toContain('src/api/note/routes/note.js:4: GET /api/notes keeps middlewares\n')
  expect(err).toContain('src/api/note/routes/note.js:6: POST /api/notes keeps auth: false\n')
  expect(err).toContain('src/policies/unused.js is code and is not taken')
  expect(err).not.toContain('is-owner.js is code')
  const text = readFileSync(join(cwd, 'cms.yaml'), 'utf8')
  const written = parse(text)
  expect(written.contentTypes.note.rest.config).toEqual({
    find: { middlewares: ['is-owner'] },
    findOne: { closed: PLACE },
    create: { auth: false },
  })
  expect(written.middlewares).toEqual({
    'is-owner': relative(cwd, join(project, 'src/middlewares/is-owner.js')),
  })
  expect(written.auth.roles.public.permissions).toEqual(['api::note.note.find'])
  expect(text).toContain(`# Not granted: ${PLACE}\n        # - api::note.note.findOne\n`)
  writeFiles(project, {
    'src/middlewares/is-owner.js':
      "module.exports = () => async (ctx, next) => (ctx.query.key === 'a' ? next() : ctx.unauthorized('not yours'))",
  })
  const withToken = text.replace(
    /^auth:\n/m,
    'auth:\n  apiTokens: [{ name: front, token: secret-of-front, type: full-access }]\n',
  )
  writeFiles(cwd, { 'cms.yaml': withToken })
  await using cms = await createCms(join(cwd, 'cms.yaml'), { env: {} })
  const front = cms.as({ token: 'front' })
  expect((await front('/api/notes?key=a')).status).toBe(200)
  // A token needs no permission, but the guard would have refused it, too.
  expect((await front(`/api/notes/${'a'.repeat(24)}`)).status).toBe(403)
  expect((await cms.fetch('/api/notes')).status).toBe(401)
  expect((await cms.fetch('/api/notes?key=a')).status).toBe(200)
  expect((await cms.fetch(`/api/notes/${'a'.repeat(24)}`)).status).toBe(403)
  const body = JSON.stringify({ data: { text: 'new' } })
  const headers = { 'content-type': 'application/json' }
  expect((await cms.fetch('/api/notes', { method: 'POST', body, headers })).status).toBe(201)
})

test('content is imported into a file whose code names exports, without running it', async () => {
  const cwd = newFolder()
  await writeExport(join(cwd, 'export.tar.gz'))
  writeFiles(cwd, {
    'code.ts': 'export const answer = () => 1\nthrow new Error("this must not run")',
    'cms.yaml': `dialect: strapi-5
database: { client: sqlite, filename: cms.db }
contentTypes: { note: { attributes: { text: string } } }
extensions: ./code.ts
routes: [{ path: /answer, handler: ./code.ts#answer, auth: false }]
`,
  })
  const command = ['import', '--strapi', 'export.tar.gz', '--into', join(cwd, 'cms.yaml')]
  const { code, out, err } = await runCommand(command, { cwd })
  expect(code, err).toBe(0)
  expect(out).toContain('2 entries of 2 content-types')
})

test('an export alone: nothing is granted before its project is named', async () => {
  const cwd = newFolder()
  await writeExport(join(cwd, 'export.tar.gz'))
  const args = ['import', '--strapi', 'export.tar.gz', '--into'] as const
  const alone = await runCommand([...args, join(cwd, 'alone.yaml')], { cwd })
  expect(alone.code, alone.err).toBe(0)
  expect(alone.err).toContain('--project names its folder')
  const text = readFileSync(join(cwd, 'alone.yaml'), 'utf8')
  expect(parse(text).auth.roles.public.permissions).toEqual([])
  expect(text).toContain('# - api::note.note.findOne\n')
  writeProject(join(cwd, 'project'), {})
  const named = await runCommand([...args, join(cwd, 'named.yaml'), '--replace', '--project', 'project'], {
    cwd,
  })
  expect(named.code, named.err).toBe(0)
  expect(parse(readFileSync(join(cwd, 'named.yaml'), 'utf8')).auth.roles.public.permissions).toEqual([
    'api::note.note.find',
    'api::note.note.findOne',
  ])
  const wrong = await runCommand([...args, join(cwd, 'wrong.yaml'), '--project', 'nowhere'], { cwd })
  expect([wrong.code, wrong.err]).toEqual([
    1,
    expect.stringContaining('nowhere is not the folder of a Strapi project'),
  ])
})

test('a folder: guards are named, and are comments of the file', async () => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'), GUARDED)
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', join(cwd, 'cms.yaml')], {
    cwd,
  })
  expect(code, err).toBe(0)
  expect(err).toContain(`${PLACE}: api::note.note.findOne is not granted`)
  expect(readFileSync(join(cwd, 'cms.yaml'), 'utf8')).toContain(`# ${PLACE}`)
})

test('the report is grouped by what it means, permissions that are not granted first', async () => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'), {
    ...GUARDED,
    'src/api/note/content-types/note/schema.json': JSON.stringify({
      ...note,
      attributes: { text: { type: 'customField', customField: 'plugin::ckeditor5.CKEditor' } },
    }),
  })
  const command = ['import', '--strapi', project, '--into']
  const { err } = await runCommand([...command, join(cwd, 'cms.yaml')], { cwd })
  const places = [
    'closed, because code',
    `  ${PLACE}: api::note.note.findOne is not granted`,
    'missing, to be carried over by hand',
    '  src/policies/unused.js is code and is not taken',
    'works in another way:',
    '  api::note.note.text',
    'taken as it stands:',
    '  src/api/note/routes/note.js:4: GET /api/notes keeps middlewares',
  ].map((text) => err.indexOf(text))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  const { out } = await runCommand([...command, join(cwd, 'again.yaml'), '--json'], { cwd })
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    report: {
      closed: [`${PLACE}: api::note.note.findOne is not granted`],
      missing: ['src/policies/unused.js is code and is not taken'],
      different: [expect.stringContaining('api::note.note.text')],
      taken: [
        'src/api/note/routes/note.js:4: GET /api/notes keeps middlewares',
        'src/api/note/routes/note.js:6: POST /api/notes keeps auth: false',
      ],
    },
  })
})

const IS_OWNER = `'use strict'
module.exports = (config, { strapi }) => async (ctx, next) => {
  const user = ctx.state.user
  const uid = \`api::\${ctx.state.route.info.apiName}.\${ctx.state.route.info.apiName}\`
  if (ctx.params.id) {
    const entry = await strapi.db.query(uid).findOne({ where: { id: ctx.params.id }, populate: ['owner'] })
    if (entry && entry.owner && entry.owner.id !== user.id) return ctx.unauthorized('This action is unauthorized.')
  } else ctx.query.filters = { ...ctx.query.filters, owner: { id: { $eq: user.id } } }
  return next()
}`

test('a middleware that checks the owner still checks it, and nothing leads around it', async () => {
  const cwd = newFolder()
  const user = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' }
  const notes = { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'shelf' }
  const shelf = { ...note, collectionName: 'shelves' }
  const actions = ['note.note.find', 'note.note.findOne', 'note.note.create', 'note.note.update']
  const project = writeProject(join(cwd, 'project'), {
    'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.25.0' } }),
    'src/api/note/content-types/note/schema.json': JSON.stringify({
      ...note,
      attributes: {
        text: { type: 'string' },
        owner: user,
        shelf: {
          ...notes,
          relation: 'manyToOne',
          target: 'api::shelf.shelf',
          mappedBy: undefined,
          inversedBy: 'notes',
        },
      },
    }),
    'src/api/shelf/content-types/shelf/schema.json': JSON.stringify({
      ...shelf,
      info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
      attributes: { name: { type: 'string' }, notes },
    }),
    'src/api/shelf/routes/shelf.js': CORE.replace('note.note', 'shelf.shelf'),
    [ROUTES]: coreWith(`{ config: {
      find: { middlewares: ['global::is-owner'] },
      findOne: { middlewares: ['global::is-owner'] },
      update: { middlewares: ['global::is-owner'] },
      create: { policies: ['has-text'] },
    } }`),
    'src/middlewares/is-owner.js': IS_OWNER,
    'src/api/note/policies/has-text.ts': `import { errors } from '@strapi/utils'
export default async (ctx: any): Promise<boolean> => {
  if (ctx.request.body.data.text) return (await strapi.entityService.count('api::note.note')) < 100
  throw new errors.PolicyError('a note has a text')
}`,
    'config/sync/user-role.authenticated.json': JSON.stringify({
      name: 'Authenticated',
      type: 'authenticated',
      permissions: [
        ...actions.map((one) => `api::${one}`),
        'api::shelf.shelf.create',
        'plugin::users-permissions.user.find',
      ].map((action) => ({
        action,
      })),
    }),
  })
  const file = join(cwd, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(code, err).toBe(0)
  expect(err).not.toContain('not granted')
  await using cms = await createCms(file, { env: { JWT_SECRET: 's'.repeat(40) } })
  const send = async (method: string, path: string, token?: string, content?: object) => {
    const response = await cms.fetch(`/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(content !== undefined && { body: JSON.stringify(content) }),
    })
    return { status: response.status, ...JSON.parse(await response.text()) }
  }
  const login = async (username: string) => {
    const given = { username, email: `${username}@example.com`, password: 'secret-1' }
    const { jwt, user } = await send('POST', 'auth/local/register', undefined, given)
    return { jwt: String(jwt), id: Number(user.id) }
  }
  const [ann, bob] = [await login('ann'), await login('bob')]
  for (const { jwt, id } of [ann, bob])
    expect(await send('POST', 'notes', jwt, { data: { text: 'mine', owner: id } })).toMatchObject({
      status: 200,
    })
  const { data: seen } = await send('GET', 'notes', bob.jwt)
  expect(seen).toMatchObject([{ id: 2 }])
  expect(await send('GET', 'notes/1', ann.jwt)).toMatchObject({ status: 200 })
  expect(await send('GET', 'notes/1', bob.jwt)).toMatchObject({ status: 401 })
  expect(await send('PUT', 'notes/1', bob.jwt, { data: { text: 'stolen' } })).toMatchObject({ status: 401 })
  expect(await send('POST', 'notes', bob.jwt, { data: { owner: bob.id } })).toMatchObject({
    status: 403,
    error: { name: 'PolicyError', message: 'a note has a text' },
  })
  const around = { data: { name: 's', notes: { create: [{ owner: ann.id }] } } }
  expect(await send('POST', 'shelves', bob.jwt, around)).toMatchObject({
    status: 403,
    error: { details: { errors: [{ path: ['notes', 'create', '0'] }] } },
  })
})
