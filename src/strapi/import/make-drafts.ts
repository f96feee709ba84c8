// Makes missing drafts of an export of Strapi 5: Strapi allows published versions without one, but here each
// document has a draft.

import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import { type Database, run, type Work } from '../../storage/database.ts'
import type { ModelLayout } from '../../storage/sql/build-layout.ts'
import { copyVersion } from '../../write/documents/copy-version.ts'
import { linkPublished } from '../../write/documents/link-versions.ts'
import { makePublished } from '../../write/documents/publish-row.ts'
import { createStorage, type Storage } from '../../write/storage.ts'

export async function makeDrafts(database: Database, model: Model, layout: ModelLayout): Promise<number> {
  const types = [...model.contentTypes.values()].filter(hasVersions)
  if (types.length === 0) return 0
  const storage = createStorage(model, layout, database.dialect, { idsUnder: notAsked, visibleIds: notAsked })
  return await database.transaction(
    function* () {
      const made: { type: ContentType; published: number; draft: number }[] = []
      for (const type of types) {
        for (const published of yield* withoutDraft(storage, type)) {
          const draft = yield* makePublished(storage, type, published, { publishedAt: null })
          made.push({ type, published, draft })
        }
      }
      // All rows come before their links, because links lead to the same version.
      for (const { type, published, draft } of made) {
        yield* copyVersion(storage, type, published, draft, 'draft', { keepsPlaces: true })
        yield* linkPublished(storage, type, published, draft)
      }
      return made.length
    },
    { patient: true },
  )
}

function* withoutDraft({ statements }: Storage, type: ContentType): Work<readonly number[]> {
  const rows = yield* run(statements.everyDocument(type), [])
  const buildKey = (documentId: unknown, locale: unknown): string => JSON.stringify([documentId, locale])
  const drafts = new Set<string>()
  for (const [, documentId, publishedAt, locale] of rows)
    if (publishedAt === null) drafts.add(buildKey(documentId, locale))
  return rows.flatMap(([id, documentId, , locale]) =>
    drafts.has(buildKey(documentId, locale)) ? [] : [Number(id)],
  )
}

function notAsked(): never {
  throw new TypeError('an import asks for no conditions and permissions')
}
