// `article: { title: string }`: a map without any key of a content-type or component is its attributes.

import { didYouMean } from '../../util/did-you-mean.ts'
import { isRecord } from '../../util/is-record.ts'
import type { Expansion } from './expansion.ts'
import { isTypeKey } from './type-keys.ts'

export function expandBareAttributes(expansion: Expansion): void {
  for (const section of ['contentTypes', 'components']) {
    for (const [name, declared] of expansion.entries([section])) {
      if (!isRecord(declared) || !isBare(declared)) continue
      expansion.replace([section, name], { attributes: declared }, [[['attributes'], []]])
    }
  }
}

/** A mistyped `attributes` is left for the check of keys, which names the right one. */
function isBare(declared: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(declared)
  if (entries.length === 0 || entries.some(([key, value]) => isTypeKey(key, value))) return false
  return !entries.some(([key, value]) => isRecord(value) && didYouMean(key, ['attributes']) !== undefined)
}
