// Converts a link of Strapi's export to a row of a join table; undefined if the relation does not exist here.

import { buildRecord } from '../../lib/is-record.ts'
import type { MediaAttribute, RelationAttribute, Schema } from '../../model/attribute.ts'
import type { Model } from '../../model/model.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { ModelLayout } from '../../storage/sql/build-layout.ts'
import type { Table } from '../../storage/sql/layout.ts'
import { formatText, type Json } from './strapi-source.ts'

export interface LinkRow {
  readonly table: Table
  readonly row: readonly PlanValue[]
  readonly needs: readonly (readonly [table: string, id: number])[]
}

const FILE = 'plugin::upload.file'

export function linkRows(model: Model, layout: ModelLayout): (link: Json) => LinkRow | undefined {
  const numbers = new Map<string, number>()
  const getHolder = (uid: string): Schema | undefined =>
    model.contentTypes.get(uid) ?? model.components.get(uid)

  function make(
    name: string,
    values: Readonly<Record<string, PlanValue>>,
    needs: LinkRow['needs'],
  ): LinkRow | undefined {
    const table = layout.tables.get(name)
    if (table === undefined) return undefined
    const number = (numbers.get(name) ?? 0) + 1
    numbers.set(name, number)
    const row = table.columns.map((column) => {
      if (column.name === 'id') return number
      // Without an order from Strapi, the order in the export is used.
      return values[column.name] ?? (column.type === 'order' ? number : null)
    })
    return { table, row, needs }
  }

  function joined(
    attribute: RelationAttribute | MediaAttribute,
    source: readonly [holder: Schema, id: number],
    target: readonly [holder: Schema, id: number],
    orders: { readonly target: number | null; readonly source: number | null },
  ): LinkRow | undefined {
    const values = {
      source_id: source[1],
      target_id: target[1],
      target_order: orders.target,
      source_order: orders.source,
    }
    return make(layout.getLinkTable(attribute).table, values, [
      [source[0].collectionName, source[1]],
      [target[0].collectionName, target[1]],
    ])
  }

  return (link) => {
    const [left, right] = [buildRecord(link['left']), buildRecord(link['right'])]
    const [source, target] = [getHolder(formatText(left['type'])), getHolder(formatText(right['type']))]
    const [sourceId, targetId] = [Number(left['ref']), Number(right['ref'])]
    if (source === undefined || target === undefined) return undefined
    if (!Number.isSafeInteger(sourceId) || !Number.isSafeInteger(targetId)) return undefined
    // In Strapi, files point to the entries that show them; here, the entries point to the files.
    if (left['type'] === FILE && left['field'] === 'related') {
      const media = target.attributes.get(formatText(right['field']))
      if (media?.kind !== 'media') return undefined
      return joined(media, [target, targetId], [source, sourceId], {
        target: getOrder(right['pos']),
        source: null,
      })
    }
    const attribute = source.attributes.get(formatText(left['field']))
    if (attribute?.kind !== 'relation' || !attribute.owner) return undefined
    if (attribute.target === undefined) {
      const values = {
        source_id: sourceId,
        target_type: target.uid,
        target_id: targetId,
        target_order: getOrder(right['pos']),
        source_order: null,
      }
      return make(layout.getMorphs(attribute), values, [
        [source.collectionName, sourceId],
        [target.collectionName, targetId],
      ])
    }
    if (attribute.target.uid !== target.uid) return undefined
    return joined(attribute, [source, sourceId], [target, targetId], {
      target: getOrder(left['pos']),
      source: getOrder(right['pos']),
    })
  }
}

function getOrder(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
