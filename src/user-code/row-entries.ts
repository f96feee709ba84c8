// The rows of a type with draft and published versions for `strapi.db.query`, which sees each version in each locale.

import { ownCode } from '../access/principal.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { type EntryObject, toObject } from '../query/rows/to-object.ts'
import type { Content } from '../write/content.ts'
import { buildParams, type Entries, type EntriesQuery } from './entries-query.ts'

export type QueriedEntries = Pick<
  Entries,
  'findMany' | 'count' | 'create' | 'createMany' | 'update' | 'updateMany' | 'delete' | 'deleteMany'
>

export function createRowEntries(type: ContentType, content: Content): QueriedEntries {
  const { documents } = content
  invariant(documents !== undefined, 'versions are those of documents')
  const writing = (query: EntriesQuery) => ({ params: getParams(query), access: ownCode, by: undefined })

  const entries: QueriedEntries = {
    async findMany(query = {}) {
      const pagination = { kind: 'offset', start: query.start ?? 0, limit: query.limit ?? -1 } as const
      return [...(await content.findAll(type, { ...getParams(query), pagination }, ownCode))]
    },
    count: async (query = {}) => content.count(type, getParams(query), ownCode),
    /** A document has a draft, also if `publishedAt` says that it is published. */
    async create({ publishedAt, locale, ...data }, query = {}) {
      const status = publishedAt === undefined || publishedAt === null ? 'draft' : 'published'
      const { plan, entry } = await documents.create(type, data, { ...writing(query), status, locale })
      return toObject(plan, entry)
    },
    createMany: (items) =>
      content.inTransaction(async () => {
        const made: EntryObject[] = []
        for (const item of items) made.push(await entries.create(item))
        return made
      }),
    /** Changes one version; values that locales share change in all drafts. */
    async update(id, data, query = {}) {
      if (data['publishedAt'] !== undefined)
        throw new TypeError(
          `strapi.db.query('${type.uid}') does not write publishedAt: use publish and unpublish of strapi.documents('${type.uid}')`,
        )
      const { plan, entry } = await content.update(type, Number(id), data, writing(query))
      return toObject(plan, entry)
    },
    updateMany: (filters, data) =>
      content.inTransaction(async () => {
        const found = await entries.findMany({ filters })
        for (const { id } of found) await entries.update(id, data)
        return found
      }),
    /** A draft is deleted with its published version, which has no other. */
    async delete(id) {
      const row = await documents.ofRow(type, Number(id))
      invariant(row !== undefined, 'the row was found')
      const { documentId, version, locale } = row
      const options = { ...writing({}), ...(locale !== null && { locale }) }
      const [found] = await entries.findMany({ filters: { id: { $eq: Number(id) } } })
      if (version === 'published') await documents.unpublish(type, documentId, options)
      else await documents.delete(type, documentId, options)
      return found as EntryObject
    },
    deleteMany: (filters) =>
      content.inTransaction(async () => {
        const found = await entries.findMany({ filters })
        for (const { id } of found)
          if ((await documents.ofRow(type, id)) !== undefined) await entries.delete(id)
        return found
      }),
  }
  return entries
}

function getParams(query: EntriesQuery): Params {
  return { ...buildParams(query), publicationState: 'preview', locale: 'all' }
}
