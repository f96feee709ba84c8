// Checks the settings for invalid locales: duplicates, and `all`, which in requests means every locale.

import type { PluginSettings } from '../plugin.ts'

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
