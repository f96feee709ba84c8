// Finds links from rows without versions to documents with versions.

import type { MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import { hasLinks, listComponents } from '../model/attribute-targets.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { Component, ContentType, Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { type Links, reverseLinks } from '../storage/sql/join-tables.ts'

export type LinksTo = (type: ContentType) => readonly Links[]

type LinkTables = Pick<ModelLayout, 'getLinkTable' | 'getMorphs'>

/** Links of relations without an inverse in the type. */
export function createOneWayTo(model: Model, layout: LinkTables): LinksTo {
  const schemas = [...model.contentTypes.values(), ...model.components.values()]
  return linksFrom(schemas, layout, ({ target, owner, inverse }) =>
    target === undefined ? owner : inverse === undefined,
  )
}

export function createLinksTo(model: Model, layout: LinkTables): LinksTo {
  return linksFrom(listSchemasWithoutVersions(model), layout, () => true)
}

export interface OwnedLinks {
  readonly owner: ContentType
  readonly attribute: RelationAttribute | MediaAttribute
  readonly links: Links
}

/** Relations and media of content-types that lead to entries of one type. */
export function createLinkedTo(
  { contentTypes }: Model,
  layout: LinkTables,
): (type: ContentType) => readonly OwnedLinks[] {
  const found = new Map<ContentType, OwnedLinks[]>()
  for (const owner of contentTypes.values())
    for (const attribute of owner.attributes.values()) {
      if (attribute.kind !== 'media' && attribute.kind !== 'relation') continue
      if (attribute.target === undefined || (attribute.kind === 'relation' && !hasLinks(attribute))) continue
      const links = { owner, attribute, links: layout.getLinkTable(attribute) }
      found.set(attribute.target, [...(found.get(attribute.target) ?? []), links])
    }
  return (type) => found.get(type) ?? []
}

function linksFrom(
  schemas: readonly Schema[],
  layout: LinkTables,
  isWanted: (attribute: RelationAttribute) => boolean,
): LinksTo {
  const found = new Map<ContentType, Links[]>()
  const add = (type: ContentType, links: Links): void => {
    found.set(type, [...(found.get(type) ?? []), links])
  }
  for (const { attributes } of schemas) {
    for (const attribute of attributes.values()) {
      if (attribute.kind !== 'relation' || !hasLinks(attribute) || !isWanted(attribute)) continue
      const { target } = attribute
      if (target === undefined) {
        for (const type of attribute.targets)
          if (hasVersions(type)) add(type, morphsFrom(layout, attribute, type))
      } else if (hasVersions(target)) add(target, reverseLinks(layout.getLinkTable(attribute)))
    }
  }
  return (type) => found.get(type) ?? []
}

function morphsFrom(layout: LinkTables, attribute: RelationAttribute, { uid: type }: ContentType): Links {
  const table = layout.getMorphs(attribute)
  return {
    table,
    ownColumn: 'target_id',
    otherColumn: 'source_id',
    order: 'source_order',
    otherOrder: 'target_order',
    type,
  }
}

function listSchemasWithoutVersions({ contentTypes, components }: Model): readonly Schema[] {
  const types = [...contentTypes.values()]
  const versioned = new Set<Component>()
  const visit = (schema: Schema): void => {
    for (const attribute of schema.attributes.values()) {
      for (const component of listComponents(attribute)) {
        if (versioned.has(component)) continue
        versioned.add(component)
        visit(component)
      }
    }
  }
  for (const type of types) if (hasVersions(type)) visit(type)
  return [
    ...types.filter((type) => !hasVersions(type)),
    ...[...components.values()].filter((component) => !versioned.has(component)),
  ]
}
