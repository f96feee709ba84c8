// What the names below an attribute in a query are names of.

import type { Attribute } from '../../model/attribute.ts'
import type { AttributeHolder } from '../../model/content-type.ts'

/** Undefined for scalars, zones and relations to several types. */
export function targetOf(attribute: Attribute): AttributeHolder | undefined {
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

/** What `on` may choose among. */
export function membersOf(attribute: Attribute): readonly AttributeHolder[] {
  if (attribute.kind === 'dynamiczone') return attribute.components
  return attribute.kind === 'relation' && attribute.target === undefined ? attribute.targets : []
}
