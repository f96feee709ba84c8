// What the entries of one content in several locales have to do with each other: the relation that joins them, and
// the attributes whose values they share.

import type { Attribute, Component, RelationAttribute, ScalarAttribute } from './attribute.ts'
import type { ContentType } from './content-type.ts'

/** The relation to the same content in other locales; undefined where a type has no locales. */
export function localizationsOf(type: ContentType): RelationAttribute | undefined {
  const attribute = type.localized ? type.attributes.get('localizations') : undefined
  return attribute?.kind === 'relation' ? attribute : undefined
}

const CODE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/
const LONGEST_CODE = 35

/** Whether there can be entries in that locale: one that the file lists, any code where it lists none. */
export function isLocale(locale: ScalarAttribute, value: unknown): value is string {
  // `all` asks for every locale, so it is none.
  if (typeof value !== 'string' || value === 'all') return false
  return locale.enum?.includes(value) ?? (value.length <= LONGEST_CODE && CODE.test(value))
}

/** Whether entries of a localized type have the same value of it in every locale. */
export function isShared(attribute: Attribute): boolean {
  if (attribute.localized) return false
  switch (attribute.kind) {
    case 'scalar':
    case 'media':
      return true
    case 'relation':
      // Whoever belongs to one entry cannot belong to its localizations, too.
      return !attribute.exclusive && attribute.inverse?.cardinality !== 'one'
    case 'component':
      return !hasUnique(attribute.component)
    case 'dynamiczone':
      return !attribute.components.some(hasUnique)
  }
}

/** A value that exists once cannot be in the components of several entries. Components cannot hold themselves. */
function hasUnique(component: Component): boolean {
  return [...component.attributes.values()].some((attribute) => {
    switch (attribute.kind) {
      case 'scalar':
        return attribute.unique
      case 'component':
        return hasUnique(attribute.component)
      case 'dynamiczone':
        return attribute.components.some(hasUnique)
      default:
        return false
    }
  })
}
