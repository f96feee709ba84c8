// Lists the changes that front ends need when a file goes from `dialect: strapi-4` to `strapi-5`.

import type { Config } from '../config/config.ts'
import type { Model } from '../model/model.ts'

export interface ApiVersionDifference {
  readonly topic: string
  readonly before: string
  readonly now: string
}

interface Facts {
  readonly always: boolean
  readonly drafts: boolean
  readonly locales: boolean
  readonly relations: boolean
  readonly zones: boolean
  readonly files: boolean
  readonly graphql: boolean
}

type Row = readonly [when: keyof Facts, topic: string, before: string, now: string]

const rows: readonly Row[] = [
  [
    'always',
    'entries',
    '{ id, attributes: { title } }',
    '{ id, documentId, title }; the header Strapi-Response-Format: v4 keeps the old form',
  ],
  ['always', 'addresses', '/api/articles/1', '/api/articles/<documentId>; a number is 404'],
  ['always', 'filters by id', 'filters[id]', 'filters[documentId]; filters[id] is the number of a row'],
  ['always', 'POST', '200', '201'],
  ['always', 'DELETE', '200 with the entry, 404 if it is not there', '204 without a body, in both cases'],
  ['always', 'payloads', 'unknown keys are ignored', 'unknown keys, id and documentId are 400'],
  [
    'always',
    'populate',
    'unknown names are refused or ignored; limit and start are read',
    'unknown names, limit and start are 400',
  ],
  [
    'relations',
    'relations in responses',
    'author: { data: { id, attributes } }',
    'author: { id, documentId, name }, [] or null',
  ],
  [
    'relations',
    'relations in payloads',
    'author: 1',
    "author: '<documentId>'; numbers of rows are understood, too",
  ],
  [
    'zones',
    'populate of a dynamic zone',
    'populate[body][populate]=*',
    'populate[body][on][shared.quote][populate]=*',
  ],
  [
    'drafts',
    'reading drafts',
    'publicationState=preview shows published entries and drafts',
    'status=draft shows the draft version of every document',
  ],
  [
    'drafts',
    'publishing',
    'publishedAt in the payload',
    'POST and PUT publish, unless ?status=draft; publishedAt has no effect',
  ],
  [
    'drafts',
    'versions',
    'one row: a draft or published',
    'a draft, and a published version beside it; a change of the draft shows when it is published',
  ],
  [
    'drafts',
    'unpublishing',
    'publishedAt: null',
    'POST /api/articles/<documentId>/actions/unpublish, with a permission of its own',
  ],
  [
    'locales',
    'locales',
    'an entry and an id for each',
    'one documentId; ?locale= chooses for GET, PUT and DELETE',
  ],
  [
    'locales',
    'a new locale',
    'POST /api/articles/1/localizations',
    'PUT /api/articles/<documentId>?locale=fr',
  ],
  ['locales', 'all locales', 'locale=all', 'locale=*'],
  [
    'files',
    'files',
    '{ data: { id, attributes: { url } } }',
    '{ id, documentId, url, focalPoint }; upload answers 201; still addressed by number',
  ],
  [
    'graphql',
    'GraphQL lists',
    'articles { data { id attributes { title } } meta { pagination { total } } }',
    'articles { documentId title }, articles_connection { nodes { title } pageInfo { total } }',
  ],
  [
    'graphql',
    'GraphQL entries',
    'article(id: 1) { data { attributes { title } } }',
    'article(documentId: "…") { title }',
  ],
  [
    'graphql',
    'GraphQL mutations',
    'createArticle(data) { data { id } }, deleteArticle(id) { data { id } }',
    'createArticle(data, status) { documentId }, deleteArticle(documentId) { documentId }',
  ],
  [
    'graphql',
    'GraphQL uploads',
    'upload, multipleUpload, updateFileInfo, removeFile',
    'updateUploadFile, deleteUploadFile; files are sent to POST /api/upload',
  ],
  [
    'graphql',
    'GraphQL form of Strapi 4',
    '—',
    'plugins.graphql.config.v4CompatibilityMode: true keeps data, attributes and id',
  ],
]

export function listApiVersionDifferences(config: Config, model: Model): readonly ApiVersionDifference[] {
  const facts = getFacts(config, model)
  return rows.filter(([when]) => facts[when]).map(([, topic, before, now]) => ({ topic, before, now }))
}

function getFacts(config: Config, model: Model): Facts {
  const types = [...model.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
  const schemas = [...types, ...model.components.values()]
  const has = (kind: string): boolean =>
    schemas.some(({ attributes }) => [...attributes.values()].some((attribute) => attribute.kind === kind))
  return {
    always: true,
    drafts: types.some(({ draftAndPublish }) => draftAndPublish),
    locales: types.some(({ localized }) => localized),
    relations: has('relation'),
    zones: has('dynamiczone'),
    files: has('media'),
    graphql: config.plugins['graphql']?.enabled === true,
  }
}
