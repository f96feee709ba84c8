// `cms.entries('article')` for documents: reads return one version; writes change the draft and publish it.

import { ownCode } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { versionActions } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { Params } from '../plan/params.ts'
import { type EntryObject, toObject } from '../query/rows/to-object.ts'
import type { Content, DocumentOptions, Documents } from '../write/content.ts'
import { buildParams, type Entries, type EntriesQuery, type VersionCondition } from './entries-query.ts'
import { createAggregate, createManyEntries } from './many-entries.ts'

type VersionAction = (typeof versionActions)[number]

interface DocumentPlace {
  readonly type: ContentType
  readonly content: Content
  readonly documents: Documents
  readonly operations: OperationTable
}

export function createDocumentEntries({ type, content, documents, operations }: DocumentPlace): Entries {
  const getRow = async (id: number) => (Number.isSafeInteger(id) ? documents.ofRow(type, id) : undefined)

  /** A number is the id of a row: one version in one locale. */
  async function named(id: number | string, query: EntriesQuery) {
    if (typeof id === 'string') return { documentId: id, query }
    const row = await getRow(id)
    if (row === undefined) throw notFound()
    const { documentId, version: status, locale } = row
    return { documentId, query: { status, ...query, ...(locale !== null && { locale }) } }
  }

  async function read(id: number | string, query: EntriesQuery): Promise<EntryObject | undefined> {
    const found = await named(id, query)
    const params = { ...getOne(found.query), withVersion: true }
    const prepared = content.prepareFindDocument(type, params, ownCode)
    const [entry] = (await prepared.run({ id: found.documentId })).entries
    return entry === undefined ? undefined : toObject(prepared.plan, entry)
  }

  /** In the default locale, or else in another one. */
  async function readFirst(documentId: string): Promise<EntryObject | undefined> {
    const filters = { documentId: { $eq: documentId } }
    const found = await content.findAll(type, { filters, publicationState: 'draft', locale: 'all' }, ownCode)
    return found.find(({ locale }) => locale === type.locale?.default) ?? found[0]
  }

  const act =
    (action: VersionAction) =>
    async (id: number | string, query: EntriesQuery = {}): Promise<EntryObject> => {
      const { documentId, query: asked } = await named(id, query)
      const { plan, entry } = await documents[action](type, documentId, writing(asked))
      return toObject(plan, entry)
    }

  return {
    async findMany(query = {}) {
      const pagination = { kind: 'offset', start: query.start ?? 0, limit: query.limit ?? -1 } as const
      return [...(await content.findAll(type, { ...getList(query), pagination }, ownCode))]
    },
    async findOne(id, query = {}) {
      if (typeof id === 'number' && (await getRow(id)) === undefined) return null
      return (await read(id, query)) ?? null
    },
    count: async (query = {}) => content.count(type, getList(query), ownCode),
    aggregate: createAggregate(type, content, getList),
    async create(data, query = {}) {
      const { plan, entry } = await documents.create(type, data, writing(query))
      return toObject(plan, entry)
    },
    async update(id, data, query = {}) {
      // Writes the draft, even if the number is a published row's id.
      const { documentId, query: asked } = await named(id, query)
      const options = { ...writing({ ...asked, status: query.status }), ...getCondition(query) }
      const { plan, entry } = await documents.update(type, documentId, data, options)
      return toObject(plan, entry)
    },
    async delete(id, query = {}) {
      const { documentId, query: asked } = await named(id, query)
      const every = query.locale === '*' || query.locale === 'all'
      const before = every
        ? await readFirst(documentId)
        : await read(documentId, { ...asked, status: 'draft' })
      const options = { ...asked, status: undefined, ...(every && { locale: '*' }) }
      const gone = await documents.delete(type, documentId, { ...writing(options), ...getCondition(query) })
      if (before === undefined || !gone) throw notFound()
      return before
    },
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discardDraft'),
    ...createManyEntries(type, operations, (query) => writing(query).params),
  }
}

/** Every document has a draft, so reading drafts returns all documents. */
function getVersion({ status, publicationState }: EntriesQuery): 'draft' | 'live' {
  if (status !== undefined) return status === 'published' ? 'live' : 'draft'
  return publicationState === 'live' ? 'live' : 'draft'
}

function getList(query: EntriesQuery): Params {
  const locale = query.locale === '*' ? 'all' : (query.locale ?? 'all')
  return { ...buildParams(query), publicationState: getVersion(query), locale }
}

function getOne(query: EntriesQuery): Params {
  const { locale: _, ...params } = buildParams(query)
  const locale = query.locale === undefined || query.locale === 'all' ? {} : { locale: query.locale }
  return { ...params, ...locale, publicationState: getVersion(query) }
}

function writing(query: EntriesQuery): DocumentOptions {
  return {
    params: { ...getOne({ ...query, status: query.status ?? 'published' }), withVersion: true },
    access: ownCode,
    by: undefined,
    status: query.status ?? 'published',
    ...(query.locale !== undefined && { locale: query.locale === 'all' ? '*' : query.locale }),
  }
}

function getCondition({ ifVersion }: VersionCondition): Pick<DocumentOptions, 'ifVersion'> {
  return ifVersion === undefined ? {} : { ifVersion: [ifVersion] }
}

function notFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
