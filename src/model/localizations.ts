// How the entries of one content in several locales are connected: the relation between them, and the attributes whose
// values they share.

import type { Attribute, Component, RelationAttribute, ScalarAttribute } from './attribute.ts'
import { listComponents } from './attribute-targets.ts'
import type { ContentType } from './content-type.ts'

/** The relation to the same content in other locales; undefined when the type is not localized. */
export function getLocalizations(type: ContentType): RelationAttribute | undefined {
  const attribute = type.localized ? type.attributes.get('localizations') : undefined
  return attribute?.kind === 'relation' ? attribute : undefined
}

const CODE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/
const MAX_CODE_LENGTH = 35

/** Whether entries can have this locale: one that the file lists, or any code when it lists none. */
export function isLocale(locale: ScalarAttribute, value: unknown): value is string {
  // `all` requests every locale, so it cannot be the name of one.
  if (typeof value !== 'string' || value === 'all') return false
  return locale.enum?.includes(value) ?? (value.length <= MAX_CODE_LENGTH && CODE.test(value))
}

/** Whether the attribute of a localized type has the same value in every locale. */
export function isShared(attribute: Attribute): boolean {
  if (attribute.localized) return false
  switch (attribute.kind) {
    case 'scalar':
      return attribute.computed === undefined
    case 'media':
      return true
    case 'relation':
      // A target that may belong to one entry only cannot belong to its localizations, too.
      return !attribute.exclusive && attribute.inverse?.cardinality !== 'one'
    case 'component':
    case 'dynamiczone':
      return !listComponents(attribute).some(hasUnique)
  }
}

/** Unique values cannot be in components of several entries. The recursion ends, as components have no cycles. */
function hasUnique(component: Component): boolean {
  return [...component.attributes.values()].some((attribute) =>
    attribute.kind === 'scalar' ? attribute.unique : listComponents(attribute).some(hasUnique),
  )
}
