// Reads an archive of `strapi export` (4.x or 5.x, not encrypted), its schemas and settings at once and its
// other items one at a time.

import type { ApiVersion } from '../../config/config.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { readTar, type TarEntry } from '../../storage/archive/read-tar.ts'
import { ImportNotes } from './import-notes.ts'
import { readJsonLines } from './json-lines.ts'
import { describeRenaming, isOfPlugin, renamePluginTypes } from './plugin-types.ts'
import {
  formatText,
  getApiVersion,
  getSetting,
  type Json,
  StrapiFault,
  type StrapiRole,
  type StrapiSource,
} from './strapi-source.ts'

const MAX_METADATA_BYTES = 1024 * 1024
/** The limit of schemas, roles, permissions and settings, which are all in memory at once. */
const MAX_RECORDS = 200_000

type ExportPart = 'schemas' | 'entities' | 'links' | 'configuration'

interface ExportSink {
  item?(part: ExportPart, value: Json): Promise<void> | void
  asset?(name: string, entry: TarEntry): Promise<void>
}

/** Resolves with the archive's API version, by default Strapi 4. */
export async function readParts(file: string, sink: ExportSink): Promise<ApiVersion> {
  let known = false
  let apiVersion: ApiVersion = 'strapi-4'
  for await (const entry of readTar(file)) {
    const [part = '', second = '', third] = entry.name.split('/')
    if (entry.name === 'metadata.json') {
      apiVersion = readApiVersion(await entry.text(MAX_METADATA_BYTES))
      known = true
    } else if (part === 'assets' && second === 'uploads' && third !== undefined) {
      await sink.asset?.(entry.name.slice('assets/uploads/'.length), entry)
    } else if (isPart(part) && second.endsWith('.jsonl')) {
      known = true
      for await (const value of readJsonLines(entry)) await sink.item?.(part, renamePluginTypes(part, value))
    }
  }
  if (!known) throw new StrapiFault('it was not made by strapi export')
  return apiVersion
}

function isPart(name: string): name is ExportPart {
  return ['schemas', 'entities', 'links', 'configuration'].includes(name)
}

function readApiVersion(text: string): ApiVersion {
  let version = ''
  try {
    version = formatText(buildRecord(buildRecord(JSON.parse(text))['strapi'])['version'])
  } catch {
    throw new StrapiFault('metadata.json is not JSON')
  }
  return version === '' ? 'strapi-4' : getApiVersion(version, 'it was made by')
}

export async function readExport(file: string): Promise<StrapiSource> {
  const contentTypes = new Map<string, Json>()
  const components = new Map<string, Json>()
  const roles = new Map<number, Omit<StrapiRole, 'actions'>>()
  const actions = new Map<number, string>()
  const granted: (readonly [permission: number, role: number])[] = []
  const locales: { code: string; name: string }[] = []
  const settings = new Map<string, unknown>()
  const filled = new Set<string>()
  let held = 0
  const hold = (): void => {
    held += 1
    if (held > MAX_RECORDS)
      throw new StrapiFault(`it has more than ${MAX_RECORDS} schemas, permissions and settings`)
  }
  const apiVersion = await readParts(file, {
    item(part, value) {
      const data = buildRecord(value['data'])
      const [type, id] = [formatText(value['type']), Number(value['id'] ?? data['id'])]
      if (part === 'schemas') {
        hold()
        const uid = formatText(value['uid'])
        if (uid.includes('::')) contentTypes.set(uid, value)
        else if (uid !== '') components.set(uid, value)
      } else if (part === 'entities' && type === 'plugin::users-permissions.role') {
        hold()
        const name = formatText(data['name'])
        roles.set(id, {
          id,
          type: formatText(data['type']),
          name,
          description: formatText(data['description']),
        })
      } else if (part === 'entities' && type === 'plugin::users-permissions.permission') {
        hold()
        actions.set(id, formatText(data['action']))
      } else if (part === 'entities' && type === 'plugin::i18n.locale') {
        hold()
        locales.push({ code: formatText(data['code']), name: formatText(data['name']) })
      } else if (part === 'entities') {
        if (filled.has(type)) return
        hold()
        filled.add(type)
      } else if (part === 'links') {
        const [left, right] = [buildRecord(value['left']), buildRecord(value['right'])]
        if (left['type'] !== 'plugin::users-permissions.permission' || left['field'] !== 'role') return
        hold()
        granted.push([Number(left['ref']), Number(right['ref'])])
      } else if (part === 'configuration' && value['type'] === 'core-store') {
        hold()
        const stored = buildRecord(value['value'])
        settings.set(formatText(stored['key']), getSetting(stored['value']))
      }
    },
  })
  if (contentTypes.size === 0) throw new StrapiFault('it has no schemas: export it with its content')
  const notes = new ImportNotes()
  for (const [uid, schema] of contentTypes) {
    if (!isOfPlugin(schema)) continue
    if (filled.has(uid)) notes.add('different', describeRenaming(schema))
    else contentTypes.delete(uid)
  }
  const defaultLocale = formatText(settings.get('plugin_i18n_default_locale'))
  return {
    apiVersion,
    contentTypes,
    components,
    roles: [...roles.values()].map((role) => ({
      ...role,
      actions: granted
        .flatMap(([permission, of]) => (of === role.id ? (actions.get(permission) ?? []) : []))
        .sort(),
    })),
    locales,
    defaultLocale: defaultLocale === '' ? undefined : defaultLocale,
    advanced: settings.has('plugin_users-permissions_advanced')
      ? buildRecord(settings.get('plugin_users-permissions_advanced'))
      : undefined,
    plugins: new Set(contentTypes.has('plugin::users-permissions.user') ? ['users-permissions'] : []),
    notes: [...notes.list],
  }
}
