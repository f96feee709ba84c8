// Tells the map of an attribute's options from the map of a component's attributes.

import { didYouMean } from '../../lib/did-you-mean.ts'

/** A map with one of these describes an attribute. */
export const attributeMarks: readonly string[] = [
  'type',
  'component',
  'components',
  'zone',
  'target',
  'relation',
  'of',
  'enum',
  'values',
  'computed',
]

/** Mistyped, they would be the names of a component's attributes. */
const likelyMeant = ['type', 'component', 'target', 'values', 'computed']

/**
 * Whether a map may be a component's attributes: each value could be an attribute, and no key is a mark gone wrong, which the
 * check of keys reports better.
 */
export function isDeclaration(value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(value)
  if (entries.length === 0) return false
  return entries.every(
    ([key, item]) =>
      (typeof item === 'string' || (typeof item === 'object' && item !== null)) &&
      didYouMean(key, likelyMeant) === undefined,
  )
}
