// Walks over rows of a content-type and their nested components, with every relation of each.

import type { MediaAttribute, RelationAttribute } from '../../../model/attribute.ts'
import { hasLinks, listComponents } from '../../../model/attribute-targets.ts'
import type { Component, ContentType, Schema } from '../../../model/content-type.ts'
import type { ModelLayout } from '../../sql/build-layout.ts'
import type { Links } from '../../sql/join-tables.ts'
import { storedTable, type TableSource } from '../../sql/kysely-compiler.ts'
import { type ComponentPlaces, componentsIn, type Ids } from '../../sql/migrations/draft-statements.ts'

export interface HeldRows {
  readonly schema: Schema
  readonly ids: Ids
}

interface HeldComponents extends HeldRows {
  readonly schema: Component
  readonly places: ComponentPlaces
  readonly within: HeldRows
}

interface HeldLinks {
  readonly attribute: RelationAttribute | MediaAttribute
  readonly target: ContentType
  readonly links: Links
}

/** Yields outer components before those nested in them. */
export function* listComponentsWithin(
  layout: ModelLayout,
  rows: HeldRows,
  from: TableSource = storedTable,
): Generator<HeldComponents> {
  for (const attribute of rows.schema.attributes.values()) {
    if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue
    const table = layout.getPlaces(attribute)
    for (const component of listComponents(attribute)) {
      const places = { table, field: attribute.name, component: component.uid }
      const found = { schema: component, ids: componentsIn(places, rows.ids, from), places, within: rows }
      yield found
      yield* listComponentsWithin(layout, found, from)
    }
  }
}

/** Yields a relation to several content-types once for each. */
export function* listLinksFrom(layout: ModelLayout, schema: Schema): Generator<HeldLinks> {
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'relation' && attribute.kind !== 'media') continue
    if (attribute.kind === 'relation' && !hasLinks(attribute)) continue
    if (attribute.kind === 'media' || attribute.target !== undefined) {
      const { target } = attribute
      if (target !== undefined) yield { attribute, target, links: layout.getLinkTable(attribute) }
      continue
    }
    const table = layout.getMorphs(attribute)
    for (const type of attribute.targets) {
      const links: Links = {
        table,
        ownColumn: 'source_id',
        otherColumn: 'target_id',
        order: 'target_order',
        otherOrder: 'source_order',
        type: type.uid,
      }
      yield { attribute, target: type, links }
    }
  }
}
