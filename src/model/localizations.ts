// Relates an entry's locale variants, and tells which attributes share their values.

import type { Attribute, Component, RelationAttribute, ScalarAttribute } from './attribute.ts'
import { listComponents } from './attribute-targets.ts'
import type { ContentType } from './content-type.ts'

export function getLocalizations(type: ContentType): RelationAttribute | undefined {
  const attribute = type.localized ? type.attributes.get('localizations') : undefined
  return attribute?.kind === 'relation' ? attribute : undefined
}

const CODE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/
const MAX_CODE_LENGTH = 35

/** Any well-formed code is valid when the file lists no locales. */
export function isLocale(locale: ScalarAttribute, value: unknown): value is string {
  // `all` requests every locale.
  if (typeof value !== 'string' || value === 'all') return false
  return locale.enum?.includes(value) ?? (value.length <= MAX_CODE_LENGTH && CODE.test(value))
}

export function isShared(attribute: Attribute): boolean {
  if (attribute.localized) return false
  switch (attribute.kind) {
    case 'scalar':
      return attribute.computed === undefined
    case 'media':
      return true
    case 'relation':
      // A target of only one entry cannot belong to its localizations, too.
      return !attribute.exclusive && attribute.inverse?.cardinality !== 'one'
    case 'component':
    case 'dynamiczone':
      return !listComponents(attribute).some(hasUnique)
  }
}

/**
 * Components of several entries cannot have unique values. The recursion ends, as components have no cycles.
 */
function hasUnique(component: Component): boolean {
  return [...component.attributes.values()].some((attribute) =>
    attribute.kind === 'scalar' ? attribute.unique : listComponents(attribute).some(hasUnique),
  )
}
