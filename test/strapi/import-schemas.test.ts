// Schemas of projects that Strapi tolerates: the import repairs them, says so, and the result starts without hand work.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

type Attributes = Readonly<Record<string, object>>

interface Imported {
  readonly file: string
  readonly notes: string
  readonly config: {
    readonly contentTypes: Readonly<Record<string, { readonly attributes: Readonly<Record<string, object>> }>>
    readonly components: Readonly<Record<string, { readonly attributes: Readonly<Record<string, object>> }>>
    readonly plugins: Readonly<Record<string, { readonly config: object }>>
    readonly auth: { readonly roles: object }
    readonly rest: object
    readonly server: { readonly cors?: object }
  }
}

/** Imports a project of these types; `files` are its other files. */
async function importTypes(
  types: Readonly<Record<string, Attributes>>,
  files: Readonly<Record<string, object | string>> = {},
  version = '4.25.0',
): Promise<Imported> {
  const cwd = newFolder()
  const project = join(cwd, 'project')
  const write = (name: string, content: object | string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  write('package.json', { dependencies: { '@strapi/strapi': version } })
  for (const [name, attributes] of Object.entries(types))
    write(`src/api/${name}/content-types/${name}/schema.json`, {
      kind: 'collectionType',
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes,
    })
  for (const [name, content] of Object.entries(files)) write(name, content)
  const file = join(cwd, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(code, err).toBe(0)
  return { file, notes: err, config: parse(readFileSync(file, 'utf8')) as Imported['config'] }
}

const relation = (kind: string, target: string, other: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: target.includes('::') ? target : `api::${target}.${target}`,
  ...other,
})

describe('relations', () => {
  test.each([
    [
      'both sides own',
      {
        category: { products: relation('manyToMany', 'product', { inversedBy: 'categories' }) },
        product: { categories: relation('manyToMany', 'category', { inversedBy: 'products' }) },
      },
      'api::product.product.categories says mappedBy now: both sides said inversedBy',
      {
        category: { products: { relation: 'manyToMany', inversedBy: 'categories' } },
        product: { categories: { relation: 'manyToMany', mappedBy: 'products' } },
      },
    ],
    [
      'no side owns',
      {
        category: { products: relation('manyToMany', 'product', { mappedBy: 'categories' }) },
        product: { categories: relation('manyToMany', 'category', { mappedBy: 'products' }) },
      },
      'api::product.product.categories says inversedBy now: both sides said mappedBy',
      {
        category: { products: { mappedBy: 'categories' } },
        product: { categories: { inversedBy: 'products' } },
      },
    ],
    [
      'a side that is not there',
      { category: { products: relation('oneToMany', 'product', { mappedBy: 'none' }) }, product: {} },
      'api::category.category.products has one side now: api::product.product.none is no relation to api::category.category',
      { category: { products: { relation: 'oneToMany', mappedBy: undefined } } },
    ],
    [
      'a side that does not name the other, of a kind that does not fit',
      {
        state: { studies: relation('oneToMany', 'study', { mappedBy: 'state' }) },
        study: { state: relation('oneToOne', 'state') },
      },
      'api::state.state.studies is oneToMany and api::study.study.state manyToOne now: they were oneToMany and oneToOne',
      {
        state: { studies: { relation: 'oneToMany', mappedBy: 'state' } },
        study: { state: { relation: 'manyToOne', inversedBy: 'studies' } },
      },
    ],
    [
      'two sides that name one',
      {
        article: {
          one: relation('oneToMany', 'comment', { mappedBy: 'article' }),
          other: relation('oneToMany', 'comment', { mappedBy: 'article' }),
        },
        comment: { article: relation('manyToOne', 'article', { inversedBy: 'one' }) },
      },
      'api::article.article.other has one side now: api::comment.comment.article names one as its other side',
      {
        article: { one: { mappedBy: 'article' }, other: { mappedBy: undefined } },
        comment: { article: { inversedBy: 'one' } },
      },
    ],
    [
      'kinds that do not fit',
      {
        category: { product: relation('manyToOne', 'product', { inversedBy: 'category' }) },
        product: { category: relation('manyToMany', 'category', { mappedBy: 'product' }) },
      },
      'api::category.category.product has one side now: api::product.product.category is manyToMany, which does not fit manyToOne',
      {
        category: { product: { relation: 'manyToOne', inversedBy: undefined } },
        product: { category: { relation: 'manyToMany', mappedBy: undefined } },
      },
    ],
  ])('%s', async (_name, types, note, expected) => {
    const { notes, config, file } = await importTypes(types as never)
    expect(notes).toContain(note)
    for (const [type, attributes] of Object.entries(expected))
      for (const [name, shape] of Object.entries(attributes)) {
        const written = config.contentTypes[type]?.attributes[name]
        expect({ inversedBy: undefined, mappedBy: undefined, ...written }).toMatchObject(shape as object)
      }
    const cms = await createCms(file, { env: {} })
    await cms.close()
  })

  test('to users and files whether or not the project extends them', async () => {
    const { notes, config } = await importTypes({
      order: {
        user: relation('manyToOne', 'plugin::users-permissions.user', { inversedBy: 'orders' }),
        receipt: relation('oneToOne', 'plugin::upload.file'),
        admin: relation('oneToOne', 'admin::user'),
      },
    })
    expect(notes).toContain('api::order.order.user has one side now')
    expect(notes).toContain('api::order.order.admin is left out: it points at admin::user')
    expect(config.contentTypes['order']?.attributes).toMatchObject({
      user: { relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      receipt: { target: 'plugin::upload.file' },
    })
  })

  test('in components they have one side', async () => {
    const { notes, config } = await importTypes(
      { article: { title: { type: 'string' } } },
      {
        // Strapi names it page.teaser.
        'src/components/Page/Teaser.json': {
          info: { displayName: 'Teaser' },
          attributes: { article: relation('oneToOne', 'article', { inversedBy: 'teasers' }) },
        },
      },
    )
    expect(notes).toContain('page.teaser.article has one side now: it stands in a component')
    expect(config.components['page.teaser']?.attributes['article']).not.toHaveProperty('inversedBy')
  })
})

describe('custom fields', () => {
  const field = (customField: string, more: object = {}) => ({ type: 'customField', customField, ...more })

  test('are what their plugins store', async () => {
    const { notes, config } = await importTypes(
      {
        page: {
          text: field('plugin::ckeditor5.CKEditor', { required: true, options: { preset: 'x' } }),
          html: field('plugin::tiptap-editor.RichText'),
          columns: field('plugin::multi-select.multi-select', { regex: 'x', default: '[]' }),
          color: field('plugin::color-picker.color', { regex: '^#' }),
          id2: field('plugin::advanced-uuid.uuid', { unique: true }),
          place: field('plugin::google-maps.location-picker'),
          shown: field('plugin::checkbox.checkbox', { regex: 'x' }),
          other: field('plugin::some.thing'),
          own: field('global::stars'),
          second: field('plugin::ratings.rating'),
        },
      },
      {
        'src/index.js': `module.exports = { register({ strapi }) {
          strapi.customFields.register({ name: 'stars', type: 'integer' });
        } };`,
        'src/plugins/ratings/server/register.js': `const id = require('./id');
        module.exports = ({ strapi }) => {
          strapi.customFields.register([{ name: 'rating', plugin: id, type: 'decimal', inputSize: { default: 4 } }]);
        };`,
        'src/plugins/ratings/server/id.js': `module.exports = 'ratings';`,
      },
    )
    const types = Object.entries(config.contentTypes['page']?.attributes ?? {}).map(([name, one]) => [
      name,
      (one as { type: string }).type,
    ])
    expect(Object.fromEntries(types)).toEqual({
      text: 'richtext',
      html: 'richtext',
      columns: 'json',
      color: 'string',
      id2: 'string',
      place: 'json',
      shown: 'boolean',
      other: 'string',
      own: 'integer',
      second: 'decimal',
    })
    expect(config.contentTypes['page']?.attributes).toMatchObject({
      text: { required: true },
      color: { regex: '^#' },
      id2: { unique: true },
    })
    expect(config.contentTypes['page']?.attributes['columns']).not.toHaveProperty('regex')
    expect(notes).toContain(
      'api::page.page.own is a custom field (global::stars): it is taken as integer, as the code of the project registers it',
    )
    expect(notes).toContain(
      'api::page.page.other is a custom field (plugin::some.thing): it is taken as string, correct it if the plugin stores something else',
    )
  })
})

describe('config-sync', () => {
  const sync = (name: string, content: object) => [`config/sync/${name}.json`, content] as const
  const files = Object.fromEntries([
    sync('user-role.public', {
      name: 'Public',
      description: 'Everybody',
      type: 'public',
      permissions: [
        { action: 'api::page.page.find' },
        { action: 'api::page.page.findOne' },
        { action: 'api::gone.gone.find' },
      ],
    }),
    sync('user-role.editor', { name: 'Editor', type: 'editor', permissions: [] }),
    sync('admin-role.strapi-editor', { name: 'Editor', code: 'strapi-editor', permissions: [] }),
    sync('i18n-locale.sk', { name: 'Slovak (sk)', code: 'sk' }),
    sync('i18n-locale.en', { name: 'English (en)', code: 'en' }),
    sync('core-store.plugin_i18n_default_locale', { key: 'plugin_i18n_default_locale', value: '"sk"' }),
    sync('core-store.plugin_users-permissions_advanced', {
      key: 'plugin_users-permissions_advanced',
      value: { allow_register: false, default_role: 'editor' },
    }),
    sync('core-store.core_admin_auth', { key: 'core_admin_auth', value: {} }),
    [
      'package.json',
      { dependencies: { '@strapi/strapi': '4.25.0', '@strapi/plugin-i18n': '4.25.0' } },
    ] as const,
  ])

  test('has the roles, locales and settings that a folder otherwise lacks', async () => {
    const routes = `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::page.page', {
      config: { findOne: { middlewares: ['global::is-owner'] } },
    });`
    const { notes, config, file } = await importTypes(
      { page: { title: { type: 'string' } } },
      { ...files, 'src/api/page/routes/page.js': routes },
    )
    expect(config.plugins['i18n']?.config).toEqual({
      defaultLocale: 'sk',
      locales: [
        { code: 'en', name: 'English (en)' },
        { code: 'sk', name: 'Slovak (sk)' },
      ],
    })
    expect(config.plugins['users-permissions']?.config).toMatchObject({
      advanced: { allow_register: false, default_role: 'editor' },
    })
    expect(config.auth.roles).toMatchObject({
      public: { name: 'Public', description: 'Everybody', permissions: ['api::page.page.find'] },
      editor: { name: 'Editor', permissions: [] },
    })
    expect(notes).toContain('role public: unknown permissions: api::gone.gone.find')
    // The middleware that guards it is code.
    expect(notes).toContain('role public: 1 permissions are comments')
    const cms = await createCms(file, { env: { JWT_SECRET: 'a'.repeat(32) } })
    expect((await cms.fetch('/api/pages')).status).toBe(200)
    expect((await cms.fetch('/api/pages/1')).status).toBe(403)
    await cms.close()
  })
})

describe('settings', () => {
  const cors = (config: string): Readonly<Record<string, string>> => ({
    'config/middlewares.js': `module.exports = ({ env }) => ['strapi::errors', { name: 'strapi::cors', config: ${config} }, {
      name: 'strapi::body', config: { jsonLimit: '10mb', formidable: { maxFileSize: 250 * 1024 * 1024 } },
    }];`,
  })

  test('of REST, CORS and bodies are taken where they are plain', async () => {
    const { config, notes, file } = await importTypes(
      { page: { title: { type: 'string' } } },
      {
        ...cors(
          "{ origin: ['https://a.test/', env('FRONT', 'http://localhost:3000')], headers: ['X-A'], methods: '*' }",
        ),
        'config/api.ts': `export default ({ env }) => ({ rest: {
          defaultLimit: 30, maxLimit: env.int('MAX', 900), withCount: true, prefix: '/v1', other: { a: 1 },
        } });`,
      },
    )
    expect(config.rest).toEqual({
      strict: false,
      defaultLimit: 30,
      maxLimit: 900,
      withCount: true,
      prefix: '/v1',
    })
    expect(config.server).toEqual({
      cors: { origin: ['https://a.test', 'http://localhost:3000'], credentials: true, headers: ['X-A'] },
      limits: { body: '10mb' },
    })
    expect(notes).toContain('config/api.ts: rest.other is code, or has no equal here, and is not taken')
    expect(notes).toContain('methods of strapi::cors is not taken')
    expect(notes).toContain('maxFileSize of strapi::body is code: write it under server.limits.upload')
    const cms = await createCms(file, { env: { JWT_SECRET: 'a'.repeat(32) } })
    expect((await cms.fetch('/v1/pages')).status).toBe(403)
    await cms.close()
  })

  test.each([
    ["{ origin: ['*'] }", { origin: '*' }],
    ["{ origin: 'https://a.test', credentials: false }", { origin: ['https://a.test'], credentials: false }],
    ["{ origin: env.array('ORIGINS') }", { origin: false }],
    ['{ origin: (ctx) => ctx.host }', { origin: false }],
  ])('of CORS: %s', async (given, expected) => {
    const { config, notes } = await importTypes({}, cors(given))
    expect(config.server.cors).toEqual(expected)
    if (expected.origin === false)
      expect(notes).toContain('config/middlewares.js: the origins of strapi::cors are code')
  })

  test('no limit is null', async () => {
    const { config } = await importTypes(
      {},
      { 'config/api.js': 'module.exports = { rest: { maxLimit: -1 } };' },
    )
    expect(config.rest).toEqual({ strict: false, maxLimit: null })
  })
})

describe('types of plugins', () => {
  const user = (attributes: Attributes) => ({
    'src/extensions/users-permissions/content-types/user/schema.json': {
      kind: 'collectionType',
      info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
      attributes: { username: { type: 'string' }, email: { type: 'email' }, ...attributes },
    },
  })
  const added = { job: { type: 'string', required: true }, secret: { type: 'string', private: true } }

  test('attributes of users may be sent with a registration in Strapi 4', async () => {
    const { config, file } = await importTypes({}, user(added))
    expect(config.plugins['users-permissions']?.config).toMatchObject({
      register: { allowedFields: ['job'] },
    })
    const cms = await createCms(file, { env: { JWT_SECRET: 'a'.repeat(32) } })
    await cms.close()
    const five = await importTypes({}, user(added), '5.10.0')
    expect(five.config.plugins['users-permissions']?.config).not.toHaveProperty('register')
  })

  test('attributes of files are taken, types of other plugins are named', async () => {
    const { notes, config } = await importTypes(
      {},
      {
        'src/extensions/upload/content-types/file/schema.json': {
          info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
          attributes: { name: { type: 'string' }, blurhash: { type: 'text' } },
        },
        'src/extensions/menus/content-types/menu/schema.json': {
          info: { singularName: 'menu', pluralName: 'menus', displayName: 'Menu' },
          attributes: { title: { type: 'string' } },
        },
      },
    )
    expect(config.contentTypes['plugin::upload.file']?.attributes).toEqual({ blurhash: { type: 'text' } })
    expect(notes).toContain('src/extensions/menus: plugin::menus.menu belongs to a plugin and is not taken')
  })
})
