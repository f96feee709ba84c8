// The content-type of a relation, and the components that an attribute holds.

import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  Schema,
} from './attribute.ts'

/** Leads to exactly one content-type or component. */
export type LeadingAttribute =
  | (RelationAttribute & { readonly target: ContentType })
  | MediaAttribute
  | ComponentAttribute

/** Undefined for scalars, zones and relations to several types. */
export function getSchemaBehind(attribute: LeadingAttribute): Schema
export function getSchemaBehind(attribute: Attribute): Schema | undefined
export function getSchemaBehind(attribute: Attribute): Schema | undefined {
  switch (attribute.kind) {
    case 'relation':
    case 'media':
      return attribute.target
    case 'component':
      return attribute.component
    default:
      return undefined
  }
}

export function listComponents(attribute: Attribute): readonly Component[] {
  if (attribute.kind === 'component') return [attribute.component]
  return attribute.kind === 'dynamiczone' ? attribute.components : []
}

/** Other relations show rows of the same document, or the links of media. */
export function hasLinks({ sameDocument, shownBy }: RelationAttribute): boolean {
  return sameDocument === undefined && shownBy === undefined
}

export function listSchemasBehind(attribute: Attribute): readonly Schema[] {
  if (attribute.kind === 'dynamiczone') return attribute.components
  return attribute.kind === 'relation' && attribute.target === undefined ? attribute.targets : []
}
