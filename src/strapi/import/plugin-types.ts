// Content-types of plugins, such as menus and navigations, become plain ones: `plugin::menus.menu` is `api::menus-menu.menus-menu`.

import { buildRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from './strapi-source.ts'

/** Of Strapi itself: they have a place here, or none. */
const STRAPI_PLUGINS: ReadonlySet<string> = new Set([
  ...['upload', 'users-permissions', 'i18n', 'email', 'graphql', 'content-manager', 'content-type-builder'],
  ...['content-releases', 'review-workflows', 'documentation', 'sentry', 'cloud'],
])

const PLUGIN_TYPE = /^plugin::([a-z][a-z0-9-]*)\.([a-z][a-z0-9-]*)$/

/** Of an item of an archive: the types that it names are named as here. `part`: of the archive. */
export function renamePluginTypes(part: string, value: Json): Json {
  if (part === 'entities') return { ...value, type: renameUid(value['type']) }
  if (part === 'links') return { ...value, left: renameEnd(value['left']), right: renameEnd(value['right']) }
  return part === 'schemas' ? renameSchema(value) : value
}

/** Whether the schema was that of a plugin. */
export function isOfPlugin(schema: Json): boolean {
  return schema[WAS] !== undefined
}

export function describeRenaming(schema: Json): string {
  return `${formatText(schema[WAS])} is ${formatText(schema['uid'])} here: the routes and the code of its plugin are missing`
}

/** In a schema, its uid in Strapi. */
const WAS = 'uidInStrapi'

function renameSchema(schema: Json): Json {
  const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, attribute]) => {
    const { target } = buildRecord(attribute)
    return [name, target === undefined ? attribute : { ...buildRecord(attribute), target: renameUid(target) }]
  })
  const renamed = { ...schema, attributes: Object.fromEntries(attributes) }
  const name = buildName(schema['uid'])
  if (name === undefined) return renamed
  const info = buildRecord(schema['info'])
  const [plugin] = name.split('.')
  const singularName = name.replace('.', '-')
  const pluralName = `${plugin}-${formatText(info['pluralName'], `${singularName}s`)}`
  return {
    ...renamed,
    uid: renameUid(schema['uid']),
    [WAS]: schema['uid'],
    info: { ...info, singularName, pluralName },
  }
}

function renameEnd(end: unknown): Json {
  const given = buildRecord(end)
  return { ...given, type: renameUid(given['type']) }
}

function renameUid(uid: unknown): unknown {
  const name = buildName(uid)?.replace('.', '-')
  return name === undefined ? uid : `api::${name}.${name}`
}

/** `menus.menu`; undefined for other types. */
function buildName(uid: unknown): string | undefined {
  const [, plugin, type] = PLUGIN_TYPE.exec(formatText(uid)) ?? []
  return plugin === undefined || STRAPI_PLUGINS.has(plugin) ? undefined : `${plugin}.${type}`
}
