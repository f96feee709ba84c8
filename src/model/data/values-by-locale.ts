// Reads values under `data` that are given by locale: `title: { en: Shanty night, fr: Nuit de chants }`.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Attribute } from '../attribute.ts'
import { formatSuggestion } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import { isLocale } from '../localizations.ts'
import type { Expansion } from './expansion.ts'

type ValuesByLocale = Readonly<Record<string, unknown>>

/** Where an attribute takes maps, every key must be a listed locale. */
export function isByLocale(type: ContentType, name: string, value: unknown): value is ValuesByLocale {
  const attribute = type.attributes.get(name)
  const { locale } = type
  if (locale === undefined || attribute?.localized !== true || !isRecord(value)) return false
  const keys = Object.keys(value)
  if (keys.length === 0) return false
  if (attribute.kind === 'scalar' && attributeTypes[attribute.type].column !== 'json') return true
  return keys.every((key) => locale.enum?.includes(key) === true && !isMember(attribute, key))
}

function isMember(attribute: Attribute, key: string): boolean {
  if (attribute.kind === 'component') return attribute.component.attributes.has(key)
  if (attribute.kind === 'relation' || attribute.kind === 'media')
    return attribute.target?.attributes.has(key) !== false
  return false
}

/** Default locale first. */
export function listLocales(
  type: ContentType,
  entry: ValuesByLocale,
  path: DiagnosticPath,
  { fault }: Expansion,
): readonly string[] {
  const { locale } = type
  if (locale === undefined) return []
  const found = new Set<string>()
  for (const [name, value] of Object.entries(entry)) {
    if (!isByLocale(type, name, value)) continue
    for (const key of Object.keys(value)) {
      if (isLocale(locale, key)) found.add(key)
      else {
        const codes = locale.enum ?? []
        const help = formatSuggestion(didYouMean(key, codes), codes)
        fault('MOD090', [...path, name, key], `unknown locale "${key}"`, { at: 'key', help })
      }
    }
  }
  if (found.size > 0 && entry['locale'] !== undefined) {
    const message = 'an entry with values by locale is in each of them, and in no locale of its own'
    fault('MOD103', [...path, 'locale'], message, {
      at: 'key',
      help: 'take "locale" out, or the other locales',
    })
  }
  const order = [String(locale.default), ...(locale.enum ?? [])]
  const place = (code: string): number => (order.includes(code) ? order.indexOf(code) : order.length)
  return [...found].sort((a, b) => place(a) - place(b))
}
