// Both sides of every relation find each other. Says who names the join table and whether targets may be shared.

import type { Attribute, RelationAttribute } from './attribute.ts'
import type { Holders } from './holders.ts'

type Linking = { -readonly [Key in keyof RelationAttribute]: RelationAttribute[Key] }

/** Sets `inverse` where `inversedBy`, `mappedBy` or `morphBy` names an attribute of the target. */
export function linkRelations(holders: Holders): void {
  for (const { source, attributes } of holders.types.values()) {
    for (const { name, config } of source.attributes) {
      const attribute = attributes.get(name)
      const otherName = config.inversedBy ?? config.mappedBy ?? config.morphBy
      if (attribute?.kind !== 'relation' || attribute.target === undefined || otherName === undefined)
        continue
      const other: Attribute | undefined = attribute.target.attributes.get(otherName)
      if (other?.kind === 'relation') (attribute as Linking).inverse = other
    }
  }
}
