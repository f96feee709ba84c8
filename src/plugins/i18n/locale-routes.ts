// Serves the file's locales at `GET /api/i18n/locales`.

import { jsonReply } from '../../http/reply.ts'
import { DECLARED_MOMENT } from '../../lib/declared-moment.ts'
import { deriveDocumentId } from '../../lib/document-id.ts'
import { contentRules } from '../../model/content-rules.ts'
import type { LocaleRules } from '../../model/contribution.ts'
import type { PluginSettings } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'

const LOCALE = 'plugin::i18n.locale'

export interface Locale {
  readonly id: number
  /** Strapi 5. */
  readonly documentId?: string
  readonly name: string
  readonly code: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly publishedAt?: string
  readonly isDefault: boolean
}

export function createLocaleRoutes(locales: readonly Locale[]): readonly PluginOperation[] {
  const body = JSON.stringify(locales)
  return [
    {
      method: 'GET',
      path: '/i18n/locales',
      action: 'locales.listLocales',
      handle: () => jsonReply(200, body),
    },
  ]
}

/** In the file's order; a locale without a name gets the English name of its language. */
export function listLocales(
  { standard, codes = [standard] }: LocaleRules,
  { config, whole }: Pick<PluginSettings, 'config' | 'whole'>,
): readonly Locale[] {
  const names = listNames(config['locales'])
  const { documents } = contentRules[whole.dialect]
  return codes.map((code, index) => ({
    id: index + 1,
    ...(documents ? { documentId: deriveDocumentId(LOCALE, index + 1) } : {}),
    name: names.get(code) ?? getName(code),
    code,
    createdAt: DECLARED_MOMENT,
    updatedAt: DECLARED_MOMENT,
    ...(documents ? { publishedAt: DECLARED_MOMENT } : {}),
    isDefault: code === standard,
  }))
}

function listNames(listed: unknown): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const locale of Array.isArray(listed) ? listed : []) {
    if (typeof locale !== 'object' || locale === null) continue
    const { code, name } = locale as { readonly code?: unknown; readonly name?: unknown }
    if (typeof code === 'string' && typeof name === 'string') names.set(code, name)
  }
  return names
}

function getName(code: string): string {
  try {
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(code)
    return name === undefined || name === code ? code : `${name} (${code})`
  } catch {
    // A project's code may be an invalid language tag.
    return code
  }
}
