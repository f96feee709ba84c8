// `plugins.i18n.config` and `pluginOptions.i18n` -> the list of locales, and what is localized.

import type { LocaleRules } from '../../model/contribution.ts'
import { isRecord } from '../../util/is-record.ts'

const STANDARD = 'en'

/** The default locale is always included, even if the file does not list it. */
export function parseLocales(config: Readonly<Record<string, unknown>>): LocaleRules {
  const standard = String(config['defaultLocale'] ?? STANDARD)
  const { locales } = config
  if (!Array.isArray(locales)) return { standard, codes: undefined, isLocalized }
  const listed = locales.map((locale: unknown) => String(isRecord(locale) ? locale['code'] : locale))
  return { standard, codes: listed.includes(standard) ? listed : [standard, ...listed], isLocalized }
}

function isLocalized(pluginOptions: Readonly<Record<string, unknown>> | undefined): boolean | undefined {
  const options = pluginOptions?.['i18n']
  const localized = isRecord(options) ? options['localized'] : undefined
  return typeof localized === 'boolean' ? localized : undefined
}
