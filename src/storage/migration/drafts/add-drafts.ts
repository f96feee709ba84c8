// `dialect: strapi-5`, drafts turned on: each published row gets the draft that it lacks, with its components and links.
// The rows keep their ids as what is published.

import { hasVersions } from '../../../model/content-rules.ts'
import type { AttributeHolder, ContentType } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { Storage } from '../../../write/storage.ts'
import { run, type Work } from '../../database.ts'
import type { ModelLayout } from '../../sql/build-layout.ts'
import {
  copiedRows,
  type DraftStatements,
  drafts,
  everyRow,
  type Offset,
} from '../../sql/migrations/draft-statements.ts'
import { componentsWithin, type HeldRows, linksFrom, reversed } from './linked-rows.ts'

export interface DraftTables {
  readonly model: Model
  readonly layout: ModelLayout
  readonly storage: Storage
  readonly statements: DraftStatements
}

/** Returns by type how many drafts were made. */
export function* addDrafts(
  { model, layout, statements }: DraftTables,
  types: ReadonlySet<ContentType>,
): Work<ReadonlyMap<ContentType, number>> {
  const offsets = new Map<AttributeHolder, number>()
  const made = new Map<ContentType, number>()
  const holders = [...types, ...(types.size > 0 ? model.components.values() : [])]
  for (const holder of holders) {
    const [row] = yield* run(statements.lastId(holder.collectionName), [])
    offsets.set(holder, Number(row?.[0] ?? 0))
  }
  const getOffset = (holder: AttributeHolder): number => offsets.get(holder) ?? 0
  const getColumns = ({ collectionName }: AttributeHolder): readonly string[] =>
    (layout.tables.get(collectionName)?.columns ?? []).map(({ name }) => name).filter((name) => name !== 'id')
  for (const type of types) {
    const ids = yield* run(statements.insertDrafts(type, getColumns(type), getOffset(type)), [])
    made.set(type, ids.length)
  }
  const sources = (type: ContentType) => copiedRows(type, getOffset(type))
  const done = new Set<string>()

  /** The links of rows that have been copied. */
  function* readCopyLinks({ holder, ids }: HeldRows): Work<void> {
    for (const { target, links } of linksFrom(layout, holder)) {
      const key = `${links.table} ${links.type ?? ''}`
      if ([...types].some((type) => type === holder)) {
        // Both sides of a relation between types that get drafts have one table.
        if (done.has(key)) continue
        done.add(key)
      }
      const near: Offset = { ids, offset: getOffset(holder) }
      if (types.has(target))
        yield* run(statements.copyLinks(links, near, { ids: sources(target), offset: getOffset(target) }), [])
      else if (hasVersions(target)) yield* run(statements.moveLinks(links, near, { ids: drafts(target) }), [])
      else yield* run(statements.copyLinks(links, near, {}), [])
    }
  }

  /** Links that other rows have to rows that have been copied. */
  function* followLinks({ holder, ids }: HeldRows, areDrafts: boolean): Work<void> {
    for (const { attribute, target, links } of linksFrom(layout, holder)) {
      if (!types.has(target)) continue
      // The other side has copied them.
      if (attribute.kind === 'relation' && attribute.inverse !== undefined && attribute.target !== undefined)
        continue
      const far: Offset = { ids: sources(target), offset: getOffset(target) }
      if (areDrafts) yield* run(statements.moveLinks(reversed(links), far, { ids }), [])
      else yield* run(statements.copyLinks(links, { ids }, far), [])
    }
  }

  for (const type of types) {
    const rows: HeldRows = { holder: type, ids: sources(type) }
    for (const { holder, places, within, ids } of componentsWithin(layout, rows)) {
      const [offset, above] = [getOffset(holder), getOffset(within.holder)]
      yield* run(
        statements.insertComponents(holder.collectionName, getColumns(holder), {
          places,
          holders: within.ids,
          offset,
        }),
        [],
      )
      yield* run(statements.insertPlaces(places, { ids: within.ids, offset: above }, offset), [])
      yield* readCopyLinks({ holder, ids })
    }
    yield* readCopyLinks(rows)
  }
  for (const type of model.contentTypes.values()) {
    if (types.has(type)) continue
    const areDrafts = hasVersions(type)
    const rows: HeldRows = { holder: type, ids: areDrafts ? drafts(type) : everyRow(type) }
    yield* followLinks(rows, areDrafts)
    for (const components of componentsWithin(layout, rows)) yield* followLinks(components, areDrafts)
  }
  return made
}
