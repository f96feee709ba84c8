// `article: { title: string }`: a map without any key of a content-type or component is its attributes.

import type { DiagnosticPath } from '../../errors/diagnostic.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { isRecord } from '../../util/is-record.ts'
import type { Expansion } from './expansion.ts'
import type { Words } from './shorthand.ts'
import { isTypeKey } from './type-keys.ts'

export function expandBareAttributes(expansion: Expansion, words: Words): void {
  for (const section of ['contentTypes', 'components']) {
    for (const [name] of expansion.entries([section])) expandBare(expansion, [section, name], words)
  }
}

/** `path`: that of a content-type or component. */
export function expandBare(expansion: Expansion, path: DiagnosticPath, { typeKeys }: Words): void {
  const declared = expansion.at(path)
  if (!isRecord(declared) || !isBare(declared, typeKeys)) return
  expansion.replace(path, { attributes: declared }, [[['attributes'], []]])
}

/** A mistyped `attributes` is left for the check of keys, which names the right one. */
function isBare(declared: Readonly<Record<string, unknown>>, typeKeys: Words['typeKeys']): boolean {
  const entries = Object.entries(declared)
  if (entries.length === 0 || entries.some(([key, value]) => isTypeKey(key, value, typeKeys))) return false
  return !entries.some(([key, value]) => isRecord(value) && didYouMean(key, ['attributes']) !== undefined)
}
