// With `dialect: strapi-5`, gives each published row a draft when drafts are turned on. Published rows keep
// their ids.

import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType, Schema } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { Storage } from '../../../write/storage.ts'
import { run, type Work } from '../../database.ts'
import type { ModelLayout } from '../../sql/build-layout.ts'
import { reverseLinks } from '../../sql/join-tables.ts'
import {
  copiedRows,
  type DraftStatements,
  drafts,
  everyRow,
  type Offset,
} from '../../sql/migrations/draft-statements.ts'
import { type HeldRows, listComponentsWithin, listLinksFrom } from '../entries/linked-rows.ts'

export interface DraftTables {
  readonly model: Model
  readonly layout: ModelLayout
  readonly storage: Storage
  readonly statements: DraftStatements
}

export function* addDrafts(
  { model, layout, statements }: DraftTables,
  types: ReadonlySet<ContentType>,
): Work<void> {
  const offsets = new Map<Schema, number>()
  const schemas = [...types, ...(types.size > 0 ? model.components.values() : [])]
  for (const schema of schemas) {
    const [row] = yield* run(statements.lastId(schema.collectionName), [])
    offsets.set(schema, Number(row?.[0] ?? 0))
  }
  const getOffset = (schema: Schema): number => offsets.get(schema) ?? 0
  const getColumns = ({ collectionName }: Schema): readonly string[] =>
    (layout.tables.get(collectionName)?.columns ?? []).map(({ name }) => name).filter((name) => name !== 'id')
  for (const type of types) {
    yield* run(statements.insertDrafts(type, getColumns(type), getOffset(type)), [])
  }
  const sources = (type: ContentType) => copiedRows(type, getOffset(type))
  const done = new Set<string>()

  function* readCopyLinks({ schema, ids }: HeldRows): Work<void> {
    for (const { target, links } of listLinksFrom(layout, schema)) {
      const key = `${links.table} ${links.type ?? ''}`
      if ([...types].some((type) => type === schema)) {
        // Both sides of a relation between types that get drafts have one table.
        if (done.has(key)) continue
        done.add(key)
      }
      const own: Offset = { ids, offset: getOffset(schema) }
      if (types.has(target))
        yield* run(statements.copyLinks(links, own, { ids: sources(target), offset: getOffset(target) }), [])
      else if (hasVersions(target)) yield* run(statements.moveLinks(links, own, { ids: drafts(target) }), [])
      else yield* run(statements.copyLinks(links, own, {}), [])
    }
  }

  function* followLinks({ schema, ids }: HeldRows, areDrafts: boolean): Work<void> {
    for (const { attribute, target, links } of listLinksFrom(layout, schema)) {
      if (!types.has(target)) continue
      // The other side has already copied these links.
      if (attribute.kind === 'relation' && attribute.inverse !== undefined && attribute.target !== undefined)
        continue
      const other: Offset = { ids: sources(target), offset: getOffset(target) }
      if (areDrafts) yield* run(statements.moveLinks(reverseLinks(links), other, { ids }), [])
      else yield* run(statements.copyLinks(links, { ids }, other), [])
    }
  }

  for (const type of types) {
    const rows: HeldRows = { schema: type, ids: sources(type) }
    for (const { schema, places, within, ids } of listComponentsWithin(layout, rows)) {
      const [offset, above] = [getOffset(schema), getOffset(within.schema)]
      yield* run(
        statements.insertComponents(schema.collectionName, getColumns(schema), {
          places,
          schemas: within.ids,
          offset,
        }),
        [],
      )
      yield* run(statements.insertPlaces(places, { ids: within.ids, offset: above }, offset), [])
      yield* readCopyLinks({ schema, ids })
    }
    yield* readCopyLinks(rows)
  }
  for (const type of model.contentTypes.values()) {
    if (types.has(type)) continue
    const areDrafts = hasVersions(type)
    const rows: HeldRows = { schema: type, ids: areDrafts ? drafts(type) : everyRow(type) }
    yield* followLinks(rows, areDrafts)
    for (const components of listComponentsWithin(layout, rows)) yield* followLinks(components, areDrafts)
  }
}
