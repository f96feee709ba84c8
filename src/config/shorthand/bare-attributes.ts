// Expands `article: { title: string, drafts: true }`: in a map without `attributes`, keys unknown to
// content-types and components become attributes.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Expansion } from './expansion.ts'
import type { Words } from './shorthand.ts'
import { findNearTypeKey, isTypeKey } from './type-keys.ts'

export function expandBareAttributes(expansion: Expansion, words: Words): void {
  for (const section of ['contentTypes', 'components']) {
    for (const [name] of expansion.entries([section])) expandBare(expansion, [section, name], words)
  }
}

export function expandBare(expansion: Expansion, path: DiagnosticPath, { typeKeys }: Words): void {
  const declared = expansion.at(path)
  if (
    !isRecord(declared) ||
    (isTypeKey('attributes', declared['attributes'], {}) && 'attributes' in declared)
  )
    return
  const entries = Object.entries(declared)
  // A mistyped `attributes` is left for the check of keys, which names the right one.
  if (entries.some(([key, value]) => isRecord(value) && didYouMean(key, ['attributes']) !== undefined)) return
  const others = entries.filter(([key, value]) => !isTypeKey(key, value, typeKeys))
  const isBare = others.length === entries.length
  const attributes = others.filter(([key, value]) => isBare || isAttribute(key, value, typeKeys))
  if (attributes.length === 0) return
  const names = new Set(attributes.map(([key]) => key))
  expansion.replace(
    path,
    {
      ...Object.fromEntries(entries.filter(([key]) => !names.has(key))),
      attributes: Object.fromEntries(attributes),
    },
    [[['attributes'], []], ...attributes.map(([key]): [string[], string[]] => [['attributes', key], [key]])],
  )
}

function isAttribute(key: string, value: unknown, typeKeys: Words['typeKeys']): boolean {
  const near = findNearTypeKey(key, typeKeys)
  if (near !== undefined && isTypeKey(near, value, typeKeys)) return false
  return typeof value === 'string' || Array.isArray(value) || isRecord(value)
}
