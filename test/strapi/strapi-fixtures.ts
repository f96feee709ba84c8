// A Strapi 4 project as its folder has it, and what `strapi export --no-encrypt` makes of it (4.15): the same layout of
// folders, files and lines.

import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { hashSync } from 'bcryptjs'
import { pack } from 'tar-stream'

const i18n = { i18n: { localized: true } }

const article = {
  kind: 'collectionType',
  collectionName: 'articles',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article', description: '' },
  options: { draftAndPublish: true },
  pluginOptions: i18n,
  attributes: {
    title: { type: 'string', required: true, pluginOptions: i18n },
    slug: { type: 'uid', targetField: 'title' },
    body: { type: 'richtext' },
    price: { type: 'decimal' },
    big: { type: 'biginteger' },
    at: { type: 'time' },
    moment: { type: 'datetime' },
    extra: { type: 'json' },
    open: { type: 'boolean', default: false },
    color: { type: 'customField', customField: 'plugin::color-picker.color', regex: '^#' },
    cover: { type: 'media', multiple: false, required: false, allowedTypes: ['images'] },
    gallery: { type: 'media', multiple: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
    owner: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' },
    editor: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
    seo: { type: 'component', repeatable: false, component: 'shared.seo' },
    blocks: { type: 'dynamiczone', components: ['shared.seo', 'page.quote'] },
  },
}
const author = {
  kind: 'collectionType',
  collectionName: 'authors',
  info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string', unique: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
}
const tag = {
  kind: 'collectionType',
  collectionName: 'tags',
  info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
  options: {},
  attributes: {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
  },
}
const home = {
  kind: 'singleType',
  collectionName: 'homes',
  info: { singularName: 'home', pluralName: 'homes', displayName: 'Home' },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string' } },
}
const seo = {
  collectionName: 'components_shared_seos',
  info: { displayName: 'SEO', icon: 'search' },
  options: {},
  attributes: { metaTitle: { type: 'string', required: true }, image: { type: 'media', multiple: false } },
}
const quote = {
  collectionName: 'components_page_quotes',
  info: { displayName: 'Quote' },
  options: {},
  attributes: {
    text: { type: 'text' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    seo: { type: 'component', component: 'shared.seo' },
  },
}
const user = {
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { draftAndPublish: false },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
    email: { type: 'email', minLength: 6, configurable: false, required: true },
    nick: { type: 'string' },
  },
}

export function writeProject(folder: string, version = '4.15.5'): string {
  const write = (name: string, content: object): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content, null, 2))
  }
  write('package.json', {
    dependencies: {
      '@strapi/strapi': version,
      '@strapi/plugin-graphql': version,
      '@strapi/plugin-i18n': version,
    },
  })
  for (const [name, schema] of Object.entries({ article, author, tag, home })) {
    write(`src/api/${name}/content-types/${name}/schema.json`, schema)
    mkdirSync(join(folder, `src/api/${name}/routes`))
    writeFileSync(
      join(folder, `src/api/${name}/routes/${name}.js`),
      `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::${name}.${name}');\n`,
    )
  }
  write('src/components/shared/seo.json', seo)
  write('src/components/page/quote.json', quote)
  write('src/extensions/users-permissions/content-types/user/schema.json', user)
  writeFileSync(join(folder, 'src/api/article/.gitkeep'), '')
  mkdirSync(join(folder, 'src/api/article/policies'))
  writeFileSync(join(folder, 'src/api/article/policies/is-owner.js'), 'throw new Error("this must not run")')
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, 'config/plugins.js'), 'throw new Error("this must not run")')
  return folder
}

const system = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime', configurable: false, writable: true, visible: false },
  createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', private: true },
  updatedBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', private: true },
}
const localization = {
  localizations: {
    type: 'relation',
    relation: 'oneToMany',
    target: 'api::article.article',
    writable: true,
    private: false,
  },
  locale: { type: 'string', writable: true, private: false, configurable: false, visible: false },
}
const file = {
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  attributes: {},
}

/** As loaded: with what Strapi adds, and the custom field resolved. */
const schemas = [
  { uid: 'admin::user', modelType: 'contentType', ...file, collectionName: 'admin_users' },
  { uid: 'plugin::upload.file', modelType: 'contentType', ...file },
  {
    uid: 'api::article.article',
    modelType: 'contentType',
    modelName: 'article',
    globalId: 'Article',
    ...article,
    attributes: {
      ...article.attributes,
      color: { type: 'string', customField: 'plugin::color-picker.color', regex: '^#' },
      ...system,
      ...localization,
    },
  },
  {
    uid: 'api::author.author',
    modelType: 'contentType',
    ...author,
    attributes: { ...author.attributes, ...system },
  },
  { uid: 'api::tag.tag', modelType: 'contentType', ...tag, attributes: { ...tag.attributes, ...system } },
  { uid: 'api::home.home', modelType: 'contentType', ...home, attributes: { ...home.attributes, ...system } },
  {
    uid: 'plugin::users-permissions.user',
    modelType: 'contentType',
    ...user,
    attributes: { ...user.attributes, ...system },
  },
  { uid: 'shared.seo', modelType: 'component', category: 'shared', ...seo },
  { uid: 'page.quote', modelType: 'component', category: 'page', ...quote },
]

const times = { createdAt: '2022-01-02T03:04:05.678Z', updatedAt: '2023-01-02T03:04:05.678Z' }
export const bcrypt = hashSync('secret-of-ann', 4)

const entities = [
  { type: 'plugin::i18n.locale', id: 1, data: { name: 'English (en)', code: 'en' } },
  { type: 'plugin::i18n.locale', id: 2, data: { name: 'French (fr)', code: 'fr' } },
  {
    type: 'plugin::users-permissions.role',
    id: 1,
    data: { name: 'Authenticated', description: 'Default', type: 'authenticated' },
  },
  {
    type: 'plugin::users-permissions.role',
    id: 2,
    data: { name: 'Public', description: '', type: 'public' },
  },
  { type: 'plugin::users-permissions.permission', id: 1, data: { action: 'api::article.article.find' } },
  {
    type: 'plugin::users-permissions.permission',
    id: 2,
    data: { action: 'plugin::users-permissions.auth.callback' },
  },
  { type: 'plugin::users-permissions.permission', id: 3, data: { action: 'api::gone.gone.find' } },
  {
    type: 'plugin::users-permissions.user',
    id: 3,
    data: {
      username: 'ann',
      email: 'ann@example.com',
      provider: 'local',
      password: bcrypt,
      confirmed: true,
      blocked: false,
      nick: 'A',
      ...times,
    },
  },
  { type: 'plugin::upload.folder', id: 1, data: { name: 'pictures' } },
  {
    type: 'plugin::upload.file',
    id: 8,
    data: {
      name: 'red.png',
      hash: 'red_1a2b',
      ext: '.png',
      mime: 'image/png',
      size: 1.5,
      url: 'https://bucket.example.com/red_1a2b.png',
      provider: 'aws-s3',
      formats: {
        thumbnail: {
          hash: 'thumbnail_red_1a2b',
          ext: '.png',
          mime: 'image/png',
          url: 'https://bucket.example.com/thumbnail_red_1a2b.png',
        },
      },
      folderPath: '/',
      ...times,
    },
  },
  {
    type: 'plugin::upload.file',
    id: 9,
    data: {
      name: 'b.txt',
      hash: 'b_9',
      ext: '.txt',
      mime: 'text/plain',
      size: 0.1,
      url: '/uploads/b_9.txt',
      provider: 'local',
      ...times,
    },
  },
  { type: 'api::author.author', id: 5, data: { name: 'Ann', ...times } },
  { type: 'api::tag.tag', id: 2, data: { name: 'b', ...times } },
  { type: 'api::tag.tag', id: 1, data: { name: 'a', ...times } },
  { type: 'api::home.home', id: 1, data: { title: 'Welcome', ...times } },
  {
    type: 'api::article.article',
    id: 20,
    data: {
      title: 'One',
      slug: 'one',
      body: '# x',
      price: 12.5,
      big: '9007199254740993',
      at: '12:30:00.000',
      moment: '2024-02-29T12:00:00.000Z',
      extra: { a: [1] },
      open: true,
      color: '#fff',
      locale: 'en',
      publishedAt: '2022-02-02T00:00:00.000Z',
      ...times,
      seo: { id: 4, metaTitle: 'Meta' },
      blocks: [
        { __component: 'page.quote', id: 6, text: 'q', seo: { id: 5, metaTitle: 'Inner' } },
        { __component: 'shared.seo', id: 7, metaTitle: 'Z' },
      ],
    },
  },
  {
    type: 'api::article.article',
    id: 21,
    data: { title: 'Un', slug: 'un', locale: 'fr', publishedAt: null, ...times },
  },
]

const basic = (left: object, right: object, kind = 'relation.basic', relation = 'manyToMany') => ({
  kind,
  relation,
  left,
  right,
})
const media = (id: number, type: string, ref: number, field: string, pos: number) =>
  basic(
    { type: 'plugin::upload.file', ref: id, field: 'related' },
    { type, ref, field, pos },
    'relation.morph',
    'morphToMany',
  )

const links = [
  basic(
    { type: 'plugin::users-permissions.permission', ref: 1, field: 'role', pos: 1 },
    { type: 'plugin::users-permissions.role', ref: 2 },
  ),
  basic(
    { type: 'plugin::users-permissions.permission', ref: 3, field: 'role', pos: 2 },
    { type: 'plugin::users-permissions.role', ref: 2 },
  ),
  basic(
    { type: 'plugin::users-permissions.permission', ref: 2, field: 'role', pos: 1 },
    { type: 'plugin::users-permissions.role', ref: 2 },
  ),
  basic(
    { type: 'plugin::users-permissions.user', ref: 3, field: 'role' },
    { type: 'plugin::users-permissions.role', ref: 1, pos: 1 },
    'relation.basic',
    'manyToOne',
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'author' },
    { type: 'api::author.author', ref: 5, field: 'articles', pos: 1 },
    'relation.basic',
    'manyToOne',
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'tags', pos: 2 },
    { type: 'api::tag.tag', ref: 1, field: 'articles', pos: 1 },
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'tags', pos: 1 },
    { type: 'api::tag.tag', ref: 2, field: 'articles', pos: 1 },
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'owner' },
    { type: 'plugin::users-permissions.user', ref: 3 },
    'relation.basic',
    'oneToOne',
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'editor' },
    { type: 'admin::user', ref: 1 },
    'relation.basic',
    'oneToOne',
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'createdBy' },
    { type: 'admin::user', ref: 1 },
    'relation.basic',
    'oneToOne',
  ),
  basic(
    { type: 'api::article.article', ref: 20, field: 'localizations', pos: 1 },
    { type: 'api::article.article', ref: 21 },
    'relation.circular',
    'oneToMany',
  ),
  basic(
    { type: 'api::article.article', ref: 21, field: 'localizations', pos: 1 },
    { type: 'api::article.article', ref: 20 },
    'relation.circular',
    'oneToMany',
  ),
  basic(
    { type: 'page.quote', ref: 6, field: 'tag' },
    { type: 'api::tag.tag', ref: 1 },
    'relation.basic',
    'oneToOne',
  ),
  media(8, 'api::article.article', 20, 'cover', 1),
  media(9, 'api::article.article', 20, 'cover', 2),
  media(9, 'api::article.article', 20, 'gallery', 1),
  media(8, 'api::article.article', 20, 'gallery', 2),
  media(8, 'shared.seo', 4, 'image', 1),
  media(8, 'api::article.article', 999, 'cover', 1),
]

const configuration = [
  { type: 'core-store', value: { id: 1, key: 'plugin_i18n_default_locale', value: '"fr"', type: 'string' } },
  {
    type: 'core-store',
    value: {
      id: 2,
      key: 'plugin_users-permissions_advanced',
      value:
        '{"unique_email":true,"allow_register":false,"email_confirmation":false,"email_reset_password":null,"email_confirmation_redirection":null,"default_role":"authenticated"}',
      type: 'object',
    },
  },
  { type: 'webhook', value: { name: 'x', url: 'https://example.com' } },
]

export interface ExportParts {
  readonly entities?: readonly object[]
  readonly metadata?: object
}

export function writeExport(to: string, parts: ExportParts = {}): Promise<string> {
  return packExport(to, {
    schemas,
    entities: parts.entities ?? entities,
    links,
    configuration,
    files: { 'red_1a2b.png': 'red', 'thumbnail_red_1a2b.png': 'small' },
    metadata: parts.metadata ?? { createdAt: '2024-01-01T00:00:00.000Z', strapi: { version: '4.15.5' } },
  })
}

export interface Packed {
  readonly schemas: readonly object[]
  readonly entities: readonly object[]
  readonly links: readonly object[]
  readonly configuration: readonly object[]
  /** Content by name. */
  readonly files: Readonly<Record<string, string>>
  readonly metadata: object
  /** Whether it is a .tar.gz; default true. */
  readonly compressed?: boolean
}

/** Folders and parts as Strapi's own writer names them; the metadata stands at the end. */
export async function packExport(to: string, parts: Packed): Promise<string> {
  const tar = pack()
  const lines = (values: readonly object[]): string =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('')
  tar.entry({ name: 'schemas/schemas_00001.jsonl' }, lines(parts.schemas))
  tar.entry({ name: 'entities/entities_00001.jsonl' }, lines(parts.entities.slice(0, 10)))
  tar.entry({ name: 'entities/entities_00002.jsonl' }, lines(parts.entities.slice(10)))
  for (const [name, content] of Object.entries(parts.files)) {
    tar.entry({ name: `assets/uploads/${name}` }, content)
    tar.entry({ name: `assets/metadata/${name}.json` }, JSON.stringify({ hash: name }))
  }
  tar.entry({ name: 'links/links_00001.jsonl' }, lines(parts.links))
  tar.entry({ name: 'configuration/configuration_00001.jsonl' }, lines(parts.configuration))
  tar.entry({ name: 'metadata.json' }, JSON.stringify(parts.metadata))
  tar.finalize()
  if (parts.compressed === false) await pipeline(tar, createWriteStream(to))
  else await pipeline(tar, createGzip(), createWriteStream(to))
  return to
}
