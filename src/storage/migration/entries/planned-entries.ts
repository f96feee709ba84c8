// Says to the planned tables which entries a migration is going to delete or merge, with their components and links.

import { type RawBuilder, sql } from 'kysely'
import type { ContentType } from '../../../model/content-type.ts'
import type { ModelLayout } from '../../sql/build-layout.ts'
import {
  alike,
  draftsBesidePublished,
  type Ids,
  isAnyBut,
  publishedBesideDrafts,
} from '../../sql/migrations/draft-statements.ts'
import type { PlannedTables } from '../../sql/migrations/planned-tables.ts'
import { listComponentsWithin } from './linked-rows.ts'

const AS_THEY_ARE: ReadonlyMap<string, RawBuilder<unknown>> = new Map()

export function leaveOut(tables: PlannedTables, layout: ModelLayout, type: ContentType, ids: Ids): void {
  const all = tables.from(type.collectionName)
  leaveOutWithin(tables, layout, type, ids)
  tables.replaceRows(type.collectionName, AS_THEY_ARE, isAnyBut('own.id', all, ids))
}

/**
 * The published version takes the place and the id of its draft. Links and components are those of the draft, which differ
 * only where its changes are discarded.
 */
export function mergeVersions(tables: PlannedTables, layout: ModelLayout, type: ContentType): void {
  const source = tables.from(type.collectionName)
  const drafts = draftsBesidePublished(type, tables.from)
  leaveOutWithin(tables, layout, type, publishedBesideDrafts(type, tables.from))
  const id = sql`coalesce((select min(${sql.ref('draft.id')}) from ${source} as ${sql.ref('draft')} where ${alike(type, 'own', 'draft')} and ${sql.ref('draft.published_at')} is null), ${sql.ref('own.id')})`
  tables.replaceRows(type.collectionName, new Map([['id', id]]), isAnyBut('own.id', source, drafts))
}

/** Their components, and links of others to them. */
function leaveOutWithin(tables: PlannedTables, layout: ModelLayout, type: ContentType, ids: Ids): void {
  const components = [...listComponentsWithin(layout, { schema: type, ids }, tables.from)]
  for (const { schema, ids: within } of components) {
    const all = tables.from(schema.collectionName)
    tables.replaceRows(schema.collectionName, AS_THEY_ARE, isAnyBut('own.id', all, within))
  }
  const entries = tables.from(type.collectionName)
  for (const { name: table, columns } of layout.tables.values())
    for (const { name, references } of columns)
      if (references === type.collectionName)
        tables.replaceRows(table, AS_THEY_ARE, isAnyBut(`own.${name}`, entries, ids))
}
