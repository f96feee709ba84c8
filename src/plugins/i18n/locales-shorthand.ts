// `i18n: [en, fr]`, `i18n: { locales: [en, fr], default: en }` and `i18n: true` at the top of the file.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto } from '../../config/shorthand/lift.ts'
import { isRecord } from '../../util/is-record.ts'

const PLACE = ['plugins', 'i18n']

export function expandLocales(expansion: Expansion): void {
  const value = expansion.at(['i18n'])
  if (typeof value !== 'boolean' && !Array.isArray(value) && !isRecord(value)) return
  if (!liftInto(expansion, 'i18n', PLACE)) return
  if (Array.isArray(value)) {
    // The first is the default, as one would read it.
    const defaultLocale = codeOf(value[0])
    const config = { ...(defaultLocale !== undefined && { defaultLocale }), locales: value }
    expansion.replace(PLACE, { config }, [[['config', 'locales'], []]])
  } else if (isRecord(value) && !('config' in value) && !('enabled' in value)) {
    const names = Object.keys(value).map((key) => [key, key === 'default' ? 'defaultLocale' : key] as const)
    const config = Object.fromEntries(names.map(([key, name]) => [name, value[key]]))
    expansion.replace(
      PLACE,
      { config },
      names.map(([key, name]) => [['config', name], [key]]),
    )
  }
}

function codeOf(locale: unknown): string | undefined {
  const code = isRecord(locale) ? locale['code'] : locale
  return typeof code === 'string' ? code : undefined
}
