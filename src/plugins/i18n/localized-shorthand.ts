// Expands the short forms of i18n: `i18n: [en, fr]`, `i18n: { locales: [en, fr], default: en }`, `i18n:
// true`, `locales`, `defaultLocale`, and `localized: true`.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto, liftIntoPlugin } from '../../config/shorthand/lift.ts'
import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'

export const localizedShorthand: PluginShorthands = {
  typeKeys: { localized: (value) => typeof value === 'boolean' },
  expand: [expandLocales, expandListedLocales, expandLocalized],
}

/**
 * Types whose values are words, which differ between locales. Numbers, dates, files and other facts are
 * shared.
 */
const worded: ReadonlySet<unknown> = new Set([
  'string',
  'text',
  'richtext',
  'blocks',
  'component',
  'dynamiczone',
])

function expandLocalized(expansion: Expansion): void {
  for (const [key] of expansion.entries(['contentTypes'])) {
    const path = ['contentTypes', key]
    const whole = expansion.at([...path, 'localized']) === true
    setLocalized(expansion, path)
    for (const [name, attribute] of expansion.entries([...path, 'attributes'])) {
      setLocalized(expansion, [...path, 'attributes', name], whole && isWorded(attribute) ? true : undefined)
    }
  }
  for (const [key] of expansion.entries(['components'])) {
    for (const [name, attribute] of expansion.entries(['components', key, 'attributes'])) {
      if (!isRecord(attribute) || attribute['localized'] === undefined) continue
      const message = `"${name}" stands in a component, which is localized as a whole`
      const help = 'say "localized" at the attribute that holds the component'
      expansion.refuse(['components', key, 'attributes', name], 'CFG054', ['localized'], message, help)
    }
  }
}

/** Text with a format (`url`, `phone`) and unique text are facts, too. */
function isWorded(attribute: unknown): boolean {
  if (typeof attribute === 'string') return worded.has(attribute)
  if (!isRecord(attribute)) return false
  return worded.has(attribute['type']) && attribute['regex'] === undefined && attribute['unique'] !== true
}

/** The full form wins over `localized` and `fallback`. */
function setLocalized(expansion: Expansion, path: DiagnosticPath, fallback?: boolean): void {
  const written = expansion.at(path)
  const declared = typeof written === 'string' ? { type: written } : written
  if (!isRecord(declared)) return
  const { localized = fallback, pluginOptions = {}, ...rest } = declared
  if (typeof localized !== 'boolean' || !isRecord(pluginOptions)) return
  const { i18n = {} } = pluginOptions
  if (!isRecord(i18n) || (i18n['localized'] !== undefined && declared['localized'] === undefined)) return
  if (i18n['localized'] !== undefined && i18n['localized'] !== localized) {
    const message = '"localized" and "pluginOptions.i18n.localized" contradict each other'
    expansion.refuse([...path, 'localized'], 'CFG054', [], message, 'keep one of them')
    return
  }
  const value = { ...rest, pluginOptions: { ...pluginOptions, i18n: { ...i18n, localized } } }
  const from = declared['localized'] === undefined ? [] : ['localized']
  expansion.replace(path, value, [
    [['pluginOptions'], declared['pluginOptions'] === undefined ? from : ['pluginOptions']],
    [['pluginOptions', 'i18n', 'localized'], from],
  ])
}

const PLACE = ['plugins', 'i18n']

function expandLocales(expansion: Expansion): void {
  const value = expansion.at(['i18n'])
  if (typeof value !== 'boolean' && !Array.isArray(value) && !isRecord(value)) return
  if (!liftInto(expansion, 'i18n', PLACE)) return
  if (Array.isArray(value)) {
    // The first locale is the default.
    const defaultLocale = getCode(value[0])
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

function expandListedLocales(expansion: Expansion): void {
  const isListed = liftIntoPlugin(expansion, 'locales', 'i18n', ['config', 'locales'])
  const path = [...PLACE, 'config', 'defaultLocale']
  if (liftIntoPlugin(expansion, 'defaultLocale', 'i18n', ['config', 'defaultLocale']) || !isListed) return
  const locales = expansion.at([...PLACE, 'config', 'locales'])
  const first = Array.isArray(locales) ? getCode(locales[0]) : undefined
  if (first !== undefined && expansion.at(path) === undefined) expansion.replace(path, first)
}

function getCode(locale: unknown): string | undefined {
  const code = isRecord(locale) ? locale['code'] : locale
  return typeof code === 'string' ? code : undefined
}
