// Addresses entries of plugins, such as users and files, by documentId for `strapi.documents`.

import { NO_ENTRY } from '../plan/parse-id.ts'
import type { Entries, EntriesQuery } from './entries-query.ts'
import type { DocumentsOf } from './strapi-documents.ts'

export function createNumberedDocuments(uid: string, entries: Entries): DocumentsOf {
  const getNumber = async (documentId: number | string): Promise<number> => {
    const filters = { documentId: { $eq: documentId } }
    const [found] = await entries.findMany({ filters, fields: ['id'], limit: 1 })
    return found?.id ?? NO_ENTRY
  }
  const numbered: Entries = {
    ...entries,
    findMany: (query = {}) => entries.findMany(withoutVersion(query)),
    findOne: async (id, query = {}) => entries.findOne(await getNumber(id), withoutVersion(query)),
    count: (query = {}) => entries.count(withoutVersion(query)),
    create: (data, query = {}) => entries.create(data, withoutVersion(query)),
    update: async (id, data, query = {}) => entries.update(await getNumber(id), data, withoutVersion(query)),
    delete: async (id) => entries.delete(await getNumber(id)),
  }
  return { uid, entries: numbered, hasVersions: false, defaultLocale: undefined }
}

function withoutVersion({ status: _, locale: __, ...query }: EntriesQuery): EntriesQuery {
  return query
}
