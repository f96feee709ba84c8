// `dialect: strapi-5`, drafts turned off: a document keeps what is published of it as it is. Drafts that were never
// published are deleted or published, as the file says.

import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { readLinkVersions } from '../../../write/documents/link-versions.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import { belongsToOne } from '../../../write/writes/write-links.ts'
import { run, type Work } from '../../database.ts'
import { drafts, draftsAlone, type Ids, published } from '../../sql/migrations/draft-statements.ts'
import type { DraftTables } from './add-drafts.ts'
import { componentsWithin, linksFrom, reversed } from './linked-rows.ts'

/** Whether the drafts of documents that are not published are published. */
export type Fate = 'delete' | 'publish'

export function* removeDrafts(tables: DraftTables, fates: ReadonlyMap<ContentType, Fate>): Work<void> {
  const { layout, storage, statements } = tables
  for (const type of fates.keys()) yield* moveLinks(tables, type, fates)
  for (const [type, fate] of fates) {
    const alone = new Set<number>()
    for (const [id] of yield* run(statements.unpublishedAlone(type), [])) alone.add(Number(id))
    for (const [id] of yield* run(statements.unpublished(type), []))
      if (fate === 'delete' || !alone.has(Number(id))) yield* deleteEntry(storage, type, Number(id))
    yield* run(statements.publishAll(type, 'updated_at'), [])
    for (const id of fate === 'publish' ? alone : []) yield* readLinkVersions(storage, type, id)
  }
  // A row without versions is linked to the drafts of those documents that it is linked to as they are published.
  for (const type of fates.keys()) {
    const rows = { schema: type, ids: published(type) }
    for (const { schema, ids } of [rows, ...componentsWithin(layout, rows)])
      for (const { attribute, target, links } of linksFrom(layout, schema))
        if (hasVersions(target))
          yield* run(statements.linkDrafts(target, links, ids, belongsToOne(attribute)), [])
  }
}

/** Drafts that were linked to a draft are linked to what is published of it. */
function* moveLinks(
  { model, layout, statements }: DraftTables,
  type: ContentType,
  fates: ReadonlyMap<ContentType, Fate>,
): Work<void> {
  /** Rows of the type that stay, and were drafts. */
  const staying = (other: ContentType): Ids | undefined => {
    if (hasVersions(other)) return drafts(other)
    return fates.get(other) === 'publish' ? draftsAlone(other) : undefined
  }
  for (const { target, links } of linksFrom(layout, type)) {
    const far = staying(target)
    if (far !== undefined) yield* run(statements.moveToPublished(type, links, far), [])
  }
  for (const schema of model.contentTypes.values()) {
    const far = staying(schema)
    if (far === undefined) continue
    for (const { target, links } of linksFrom(layout, schema))
      if (target === type) yield* run(statements.moveToPublished(type, reversed(links), far), [])
    for (const component of componentsWithin(layout, { schema, ids: far }))
      for (const { target, links } of linksFrom(layout, component.schema))
        if (target === type) yield* run(statements.moveToPublished(type, reversed(links), component.ids), [])
  }
}
