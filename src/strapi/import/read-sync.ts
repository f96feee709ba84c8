// Reads what strapi-plugin-config-sync keeps in a project, `config/sync/*.json`: roles of users with their permissions,
// locales and settings, which a project otherwise has in its database only.

import { join } from 'node:path'
import { buildRecord } from '../../lib/is-record.ts'
import { listFiles } from './project-folder.ts'
import {
  formatText,
  getSetting,
  type Json,
  StrapiFault,
  type StrapiRole,
  type StrapiSource,
} from './strapi-source.ts'

const MAX_FILES = 2000

type ReadJson = (file: string) => Promise<Json | undefined>

export async function readSync(
  folder: string,
  readJson: ReadJson,
): Promise<Pick<StrapiSource, 'roles' | 'locales' | 'defaultLocale' | 'advanced'>> {
  const roles: StrapiRole[] = []
  const locales: { code: string; name: string }[] = []
  const settings = new Map<string, unknown>()
  const names = (await listFiles(join(folder, 'config/sync'))).filter((name) => name.endsWith('.json'))
  if (names.length > MAX_FILES) throw new StrapiFault(`config/sync has more than ${MAX_FILES} files`)
  for (const name of names) {
    const [kind = ''] = name.split('.')
    if (!KINDS.has(kind)) continue
    const value = (await readJson(join(folder, 'config/sync', name))) ?? {}
    if (kind === 'user-role') roles.push(readRole(value, roles.length + 1))
    if (kind === 'i18n-locale')
      locales.push({ code: formatText(value['code']), name: formatText(value['name']) })
    if (kind === 'core-store') settings.set(formatText(value['key']), getSetting(value['value']))
  }
  const advanced = settings.get('plugin_users-permissions_advanced')
  const defaultLocale = formatText(settings.get('plugin_i18n_default_locale'))
  return {
    roles,
    locales: locales.filter(({ code }) => code !== ''),
    defaultLocale: defaultLocale === '' ? undefined : defaultLocale,
    advanced: advanced === undefined ? undefined : buildRecord(advanced),
  }
}

/** Roles of the admin panel and its permissions are left out. */
const KINDS: ReadonlySet<string> = new Set(['user-role', 'i18n-locale', 'core-store'])

function readRole({ type, name, description, permissions }: Json, id: number): StrapiRole {
  const actions = (Array.isArray(permissions) ? permissions : []).map((one: unknown) =>
    formatText(buildRecord(one)['action']),
  )
  return {
    id,
    type: formatText(type),
    name: formatText(name),
    description: formatText(description),
    actions: [...new Set(actions)].filter((action) => action !== ''),
  }
}
