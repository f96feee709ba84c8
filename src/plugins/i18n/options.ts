// Parses `plugins.i18n.config` and `pluginOptions.i18n`; refuses duplicate locales and `all`, which means
// every locale in requests.

import { isRecord } from '../../lib/is-record.ts'
import type { LocaleRules } from '../../model/contribution.ts'
import type { PluginSettings } from '../plugin.ts'

const STANDARD = 'en'

/** Always includes the default locale. */
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

const PATH = ['plugins', 'i18n', 'config'] as const

export function checkLocales({ config, report }: Pick<PluginSettings, 'config' | 'report'>): void {
  const listed: readonly unknown[] = Array.isArray(config['locales']) ? config['locales'] : []
  const seen = new Set<unknown>()
  for (const [index, one] of listed.entries()) {
    const code = typeof one === 'object' && one !== null && 'code' in one ? one.code : one
    const path = [...PATH, 'locales', index, ...(code === one ? [] : ['code'])]
    if (seen.has(code)) {
      report({ code: 'PLG010', severity: 'error', path, message: `the locale "${code}" is listed twice` })
    }
    seen.add(code)
    if (code === 'all') report(everyLocale(path))
  }
  if (config['defaultLocale'] === 'all') report(everyLocale([...PATH, 'defaultLocale']))
}

function everyLocale(path: readonly (string | number)[]) {
  return {
    code: 'PLG011',
    severity: 'error',
    path,
    message: '"all" cannot be a locale: in requests it stands for every locale',
  } as const
}
