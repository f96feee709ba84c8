// The locales that the i18n plugin was told of.

import type { Config } from '../config/config.ts'
import { isPluginEnabled } from './enabled-plugins.ts'
import type { Locales } from './holders.ts'

const STANDARD = 'en'

/** Undefined where the plugin is off. */
export function localesOf(config: Pick<Config, 'plugins'>): Locales | undefined {
  if (!isPluginEnabled(config, 'i18n')) return undefined
  const options = config.plugins['i18n']?.config ?? {}
  const standard = String(options['defaultLocale'] ?? STANDARD)
  const listed = options['locales']
  if (!Array.isArray(listed)) return { standard, codes: undefined }
  const codes = listed.map((locale: unknown) =>
    typeof locale === 'object' && locale !== null && 'code' in locale ? String(locale.code) : String(locale),
  )
  return { standard, codes: codes.includes(standard) ? codes : [standard, ...codes] }
}
