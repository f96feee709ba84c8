// What `strapi export --no-encrypt` of Strapi 5 writes of a small project: each version of a document in each locale is an
// entity with its own components and links; the lines of localizations have a documentId in place of a number.

import { type Packed, packExport } from './strapi-fixtures.ts'

const i18n = { i18n: { localized: true } }
const shared = { i18n: { localized: false } }

const system = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime', configurable: false, writable: true, visible: false },
  createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', private: true },
  updatedBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', private: true },
}

function schema(
  name: string,
  attributes: object,
  more: { drafts?: boolean; localized?: boolean } = {},
): object {
  const uid = `api::${name}.${name}`
  const target = { type: 'relation', relation: 'oneToMany', target: uid }
  return {
    uid,
    modelType: 'contentType',
    modelName: name,
    kind: name === 'home' ? 'singleType' : 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: more.drafts === true },
    pluginOptions: more.localized === true ? i18n : {},
    attributes: {
      ...attributes,
      ...system,
      // In every type, as the plugin of locales is part of the core.
      locale: { type: 'string', writable: true, private: more.localized !== true, visible: false },
      localizations: { ...target, writable: true, private: more.localized !== true, unstable_virtual: true },
    },
  }
}

function component(uid: string, attributes: object): object {
  const [category, name] = uid.split('.')
  const collectionName = `components_${category}_${name}s`
  return { uid, modelType: 'component', category, collectionName, info: { displayName: name }, attributes }
}

const files = { collectionName: 'files', info: { singularName: 'file', pluralName: 'files' }, attributes: {} }

const schemas = [
  { uid: 'admin::user', modelType: 'contentType', ...files, collectionName: 'admin_users' },
  { uid: 'plugin::upload.file', modelType: 'contentType', ...files },
  schema(
    'article',
    {
      title: { type: 'string', required: true, pluginOptions: i18n },
      slug: { type: 'uid', targetField: 'title', pluginOptions: i18n },
      views: { type: 'integer', pluginOptions: shared },
      body: { type: 'blocks', pluginOptions: i18n },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'], pluginOptions: i18n },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
      seo: { type: 'component', repeatable: false, component: 'shared.seo', pluginOptions: i18n },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'page.quote'], pluginOptions: i18n },
    },
    { drafts: true, localized: true },
  ),
  schema('author', {
    name: { type: 'string', unique: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    favourite: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
  }),
  schema(
    'tag',
    {
      name: { type: 'string', unique: true },
      articles: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::article.article',
        mappedBy: 'tags',
      },
    },
    { drafts: true },
  ),
  schema('home', { title: { type: 'string', pluginOptions: i18n } }, { drafts: true, localized: true }),
  component('shared.seo', {
    metaTitle: { type: 'string', required: true },
    image: { type: 'media', multiple: false },
  }),
  component('page.quote', {
    text: { type: 'text' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    seo: { type: 'component', component: 'shared.seo' },
  }),
]

export const ids = {
  article: 'a1ar4zkoqzs0fk4wo9ye4bzq',
  other: 'b2ar4zkoqzs0fk4wo9ye4bzq',
  ann: 'c3ar4zkoqzs0fk4wo9ye4bzq',
  red: 'd4ar4zkoqzs0fk4wo9ye4bzq',
  blue: 'e5ar4zkoqzs0fk4wo9ye4bzq',
  home: 'f6ar4zkoqzs0fk4wo9ye4bzq',
  file: 'g7ar4zkoqzs0fk4wo9ye4bzq',
} as const

const then = '2025-01-02T03:04:05.678Z'
const later = '2025-02-02T00:00:00.000Z'
const draft = { publishedAt: null, createdAt: then, updatedAt: later }
const published = { publishedAt: later, createdAt: then, updatedAt: then }

function entity(
  type: string,
  id: number,
  documentId: string,
  data: object,
  locale: string | null = null,
): object {
  return { type, id, data: { documentId, ...data, locale } }
}

function article(id: number, documentId: string, locale: string, version: object, data: object): object {
  const body = [{ type: 'paragraph', children: [{ type: 'text', text: `of ${id}` }] }]
  return entity(
    'api::article.article',
    id,
    documentId,
    { body, seo: null, zone: [], ...data, ...version },
    locale,
  )
}

/** Two versions of one article in two languages, one of which was changed since; another that is a draft alone. */
const articles = [
  article(10, ids.article, 'en', draft, {
    title: 'Changed',
    slug: 'one',
    views: 7,
    seo: { id: 1, metaTitle: 'Meta of the draft' },
    zone: [
      { __component: 'page.quote', id: 1, text: 'q', seo: { id: 3, metaTitle: 'Inner' } },
      { __component: 'shared.seo', id: 4, metaTitle: 'Z' },
    ],
  }),
  article(14, ids.article, 'en', published, {
    title: 'One',
    slug: 'one',
    views: 7,
    seo: { id: 2, metaTitle: 'Meta' },
    zone: [{ __component: 'page.quote', id: 2, text: 'q', seo: { id: 5, metaTitle: 'Inner' } }],
  }),
  article(11, ids.article, 'fr', draft, { title: 'Un', slug: 'un', views: 7 }),
  article(15, ids.article, 'fr', published, { title: 'Un', slug: 'un', views: 7 }),
  article(12, ids.other, 'en', draft, { title: 'Two', slug: 'two', views: null }),
]

const entities = [
  { type: 'plugin::i18n.locale', id: 1, data: { name: 'English (en)', code: 'en', documentId: 'l1' } },
  { type: 'plugin::i18n.locale', id: 2, data: { name: 'French (fr)', code: 'fr', documentId: 'l2' } },
  entity('plugin::users-permissions.role', 2, 'r2', { name: 'Public', description: '', type: 'public' }),
  entity('plugin::users-permissions.permission', 1, 'p1', { action: 'api::article.article.find' }),
  entity('plugin::upload.file', 8, ids.file, {
    ...{ name: 'red.png', hash: 'red_1a2b', ext: '.png', mime: 'image/png', size: 1.5, folderPath: '/' },
    ...{ url: '/uploads/red_1a2b.png', provider: 'local', focalPoint: null, ...published },
  }),
  entity('api::author.author', 5, ids.ann, { name: 'Ann', ...published }),
  entity('api::tag.tag', 1, ids.red, { name: 'red', ...draft }),
  entity('api::tag.tag', 2, ids.blue, { name: 'blue', ...draft }),
  entity('api::tag.tag', 3, ids.red, { name: 'red', ...published }),
  entity('api::home.home', 1, ids.home, { title: 'Welcome', ...draft }, 'en'),
  entity('api::home.home', 2, ids.home, { title: 'Welcome', ...published }, 'en'),
  ...articles,
  entity('plugin::content-releases.release', 1, 'x1', { name: 'Spring' }),
]

type End = readonly [type: string, ref: number | string, field?: string, pos?: number]

function link(
  relation: string,
  [type, ref, field, pos]: End,
  [farType, farRef, farField, farPos]: End,
): object {
  const kind = relation.startsWith('morph')
    ? 'relation.morph'
    : type === farType
      ? 'relation.circular'
      : 'relation.basic'
  return {
    kind,
    relation,
    left: { type, field, ref, ...(pos !== undefined && { pos }) },
    right: {
      type: farType,
      ref: farRef,
      ...(farField !== undefined && { field: farField }),
      ...(farPos !== undefined && { pos: farPos }),
    },
  }
}

const [ARTICLE, AUTHOR, TAG, FILE] = [
  'api::article.article',
  'api::author.author',
  'api::tag.tag',
  'plugin::upload.file',
]

const links = [
  link(
    'manyToOne',
    ['plugin::users-permissions.permission', 1, 'role'],
    ['plugin::users-permissions.role', 2],
  ),
  ...[10, 14, 11, 15].map((id, at) =>
    link('manyToOne', [ARTICLE, id, 'author'], [AUTHOR, 5, 'articles', at + 1]),
  ),
  // The draft has two tags, one of which is not published; what is published has the other one.
  link('manyToMany', [ARTICLE, 10, 'tags', 2], [TAG, 1, 'articles', 1]),
  link('manyToMany', [ARTICLE, 10, 'tags', 1], [TAG, 2, 'articles', 1]),
  link('manyToMany', [ARTICLE, 14, 'tags', 1], [TAG, 3, 'articles', 1]),
  link('oneToOne', [ARTICLE, 12, 'next'], [ARTICLE, 10]),
  // An entry without drafts leads to both versions.
  link('oneToOne', [AUTHOR, 5, 'favourite'], [TAG, 1]),
  link('oneToOne', [AUTHOR, 5, 'favourite'], [TAG, 3]),
  ...[10, 14, 11, 15].map((id) => link('oneToMany', [ARTICLE, id, 'localizations'], [ARTICLE, ids.article])),
  link('oneToMany', [AUTHOR, 5, 'localizations'], [AUTHOR, ids.ann]),
  link('oneToOne', ['page.quote', 1, 'tag'], [TAG, 1]),
  link('oneToOne', ['page.quote', 2, 'tag'], [TAG, 3]),
  ...[10, 14].map((id) => link('morphToMany', [FILE, 8, 'related'], [ARTICLE, id, 'cover', 1])),
  link('morphToMany', [FILE, 8, 'related'], ['shared.seo', 2, 'image', 1]),
]

const configuration = [
  { type: 'core-store', value: { id: 1, key: 'plugin_i18n_default_locale', value: 'en', type: 'string' } },
  {
    type: 'core-store',
    value: {
      id: 2,
      key: 'plugin_users-permissions_advanced',
      value: { allow_register: false },
      type: 'object',
    },
  },
]

/** A .tar, unless the name says .tar.gz. */
export function writeExport5(to: string, parts: Partial<Packed> = {}): Promise<string> {
  return packExport(to, {
    ...{ schemas, entities, links, configuration, files: { 'red_1a2b.png': 'red' } },
    metadata: { createdAt: later, strapi: { version: '5.54.0' } },
    compressed: to.endsWith('.gz'),
    ...parts,
  })
}
