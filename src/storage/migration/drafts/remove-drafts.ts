// With `dialect: strapi-5`, turns drafts off: keeps published versions, and deletes or publishes drafts that
// were never published, as the file says.

import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { readLinkVersions } from '../../../write/documents/link-versions.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import { belongsToOne } from '../../../write/writes/write-links.ts'
import { run, type Work } from '../../database.ts'
import { reverseLinks } from '../../sql/join-tables.ts'
import { drafts, draftsAlone, type Ids, published } from '../../sql/migrations/draft-statements.ts'
import { listComponentsWithin, listLinksFrom } from '../entries/linked-rows.ts'
import type { DraftTables } from './add-drafts.ts'

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
  // A row without versions is also linked to the draft of each document to whose published version it is
  // linked.
  for (const type of fates.keys()) {
    const rows = { schema: type, ids: published(type) }
    for (const { schema, ids } of [rows, ...listComponentsWithin(layout, rows)])
      for (const { attribute, target, links } of listLinksFrom(layout, schema))
        if (hasVersions(target))
          yield* run(statements.linkDrafts(target, links, ids, belongsToOne(attribute)), [])
  }
}

function* moveLinks(
  { model, layout, statements }: DraftTables,
  type: ContentType,
  fates: ReadonlyMap<ContentType, Fate>,
): Work<void> {
  const staying = (other: ContentType): Ids | undefined => {
    if (hasVersions(other)) return drafts(other)
    return fates.get(other) === 'publish' ? draftsAlone(other) : undefined
  }
  for (const { target, links } of listLinksFrom(layout, type)) {
    const others = staying(target)
    if (others !== undefined) yield* run(statements.moveToPublished(type, links, others), [])
  }
  for (const schema of model.contentTypes.values()) {
    const others = staying(schema)
    if (others === undefined) continue
    for (const { target, links } of listLinksFrom(layout, schema))
      if (target === type) yield* run(statements.moveToPublished(type, reverseLinks(links), others), [])
    for (const component of listComponentsWithin(layout, { schema, ids: others }))
      for (const { target, links } of listLinksFrom(layout, component.schema))
        if (target === type)
          yield* run(statements.moveToPublished(type, reverseLinks(links), component.ids), [])
  }
}
