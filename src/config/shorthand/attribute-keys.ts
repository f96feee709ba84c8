// Distinguishes the map of an attribute's options from the map of a component's attributes.

import { didYouMean } from '../../lib/did-you-mean.ts'

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

/** A key that resembles one of `attributeMarks` is left for the check of keys, which reports it better. */
export function isDeclaration(value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(value)
  if (entries.length === 0) return false
  return entries.every(
    ([key, item]) =>
      (typeof item === 'string' || (typeof item === 'object' && item !== null)) &&
      didYouMean(key, likelyMeant) === undefined,
  )
}
