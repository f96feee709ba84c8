// Reads the schemas in the folder of a Strapi project.

import { basename, join, relative } from 'node:path'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { readRegularFile } from '../../lib/read-regular-file.ts'
import { buildResult, toPlain } from './code/code-values.ts'
import { readGraphqlSettings } from './code/graphql-settings.ts'
import { readPopulateDeep } from './code/populate-deep.ts'
import { readProjectSettings } from './code/project-settings.ts'
import { readCode } from './code/read-code.ts'
import { findRegisteredFields } from './code/registered-fields.ts'
import { ImportNotes } from './import-notes.ts'
import { listCodeFiles, listFiles, listFolders } from './project-folder.ts'
import { readSync } from './read-sync.ts'
import {
  formatText,
  getApiVersion,
  isExtensible,
  type Json,
  StrapiFault,
  type StrapiSource,
} from './strapi-source.ts'

const MAX_SCHEMA_BYTES = 1024 * 1024
const MAX_SCHEMA_VALUES = 100_000
const MAX_FILES = 5000

/** Of a configuration. */
const COMPONENT = /^[a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/

export async function isProject(folder: string): Promise<boolean> {
  return formatText((await readDependencies(folder))['@strapi/strapi']) !== ''
}

export async function readProject(folder: string): Promise<StrapiSource> {
  const dependencies = await readDependencies(folder)
  const version = formatText(dependencies['@strapi/strapi'])
  if (version === '') throw new StrapiFault('its package.json does not name @strapi/strapi')
  const apiVersion = getApiVersion(version, 'it is made for')
  const contentTypes = new Map<string, Json>()
  const notes = new ImportNotes()
  for (const api of await listFolders(join(folder, 'src/api'))) {
    const types = join(folder, 'src/api', api, 'content-types')
    for (const type of await listFolders(types)) {
      const schema = await readSchema(folder, join(types, type), notes)
      if (schema === undefined) continue
      const name = formatText(buildRecord(schema['info'])['singularName'], type)
      contentTypes.set(`api::${api}.${name}`, schema)
    }
  }
  for (const plugin of await listFolders(join(folder, 'src/extensions'))) {
    const types = join(folder, 'src/extensions', plugin, 'content-types')
    for (const type of await listFolders(types)) {
      const schema = await readJson(join(types, type, 'schema.json'))
      if (schema === undefined) continue
      const uid = `plugin::${plugin}.${type}`
      contentTypes.set(uid, schema)
      if (!isExtensible(uid))
        notes.add('missing', `src/extensions/${plugin}: ${uid} belongs to a plugin and is not taken`)
    }
  }
  const components = new Map<string, Json>()
  for (const category of await listFolders(join(folder, 'src/components'))) {
    for (const file of await listFiles(join(folder, 'src/components', category))) {
      if (!file.endsWith('.json')) continue
      const schema = await readJson(join(folder, 'src/components', category, file))
      // Strapi names components in lower case, whatever the names of their files.
      const uid = `${category}.${file.slice(0, -'.json'.length)}`.toLowerCase()
      if (schema === undefined) continue
      if (COMPONENT.test(uid)) components.set(uid, schema)
      else
        notes.add('missing', `src/components/${category}/${file}: ${uid} cannot be the name of a component`)
    }
  }
  if (contentTypes.size + components.size > MAX_FILES)
    throw new StrapiFault(`it has more than ${MAX_FILES} schemas`)
  for (const file of await listFiles(join(folder, 'config'))) {
    if (/^plugins\.[cm]?[jt]s$/.test(file))
      notes.add('missing', `config/${file} is code: carry its settings over to "plugins" by hand`)
  }
  const settings = await readSettings(folder)
  return {
    ...settings,
    apiVersion,
    contentTypes,
    components,
    ...(await readSync(folder, readJson)),
    plugins: new Set([
      ...['graphql', 'i18n', 'users-permissions'].filter((name) => `@strapi/plugin-${name}` in dependencies),
      // Part of Strapi 5's core.
      ...(apiVersion === 'strapi-5' ? ['i18n'] : []),
    ]),
    notes: [...notes.list, ...settings.notes],
  }
}

/** What a project has in its code, and an export has not. */
export async function readSettings(
  folder: string,
): Promise<Pick<StrapiSource, 'graphql' | 'rest' | 'server' | 'customFields' | 'notes'>> {
  const graphql = await readGraphqlSettings(folder)
  const { rest, server, notes } = await readProjectSettings(folder)
  const deep = await readPopulateDeep(folder, await readDependencies(folder))
  const customFields = await findRegisteredFields(folder)
  return {
    graphql: graphql.settings,
    rest: { ...rest, ...deep.settings },
    server,
    customFields,
    notes: [...graphql.notes, ...notes, ...deep.notes],
  }
}

/** Of `schema.json`, or of code that declares plain values. */
async function readSchema(root: string, folder: string, notes: ImportNotes): Promise<Json | undefined> {
  const schema = await readJson(join(folder, 'schema.json'))
  if (schema !== undefined) return schema
  const file = (await listCodeFiles(folder)).find((one) => /^schema\.[cm]?[jt]s$/.test(basename(one)))
  if (file === undefined) return undefined
  const { exported } = await readCode(file)
  const declared = buildResult(exported)
  const plain = declared && toPlain(declared, { values: MAX_SCHEMA_VALUES })
  if (isRecord(plain)) return plain
  notes.add(
    'missing',
    `${relative(root, file)} is code that is not understood: declare the content-type by hand`,
  )
  return undefined
}

async function readDependencies(folder: string): Promise<Json> {
  const packageFile = await readJson(join(folder, 'package.json'))
  return { ...buildRecord(packageFile?.['dependencies']), ...buildRecord(packageFile?.['devDependencies']) }
}

async function readJson(file: string): Promise<Json | undefined> {
  const read = await readRegularFile(file, MAX_SCHEMA_BYTES)
  if (!read.ok) {
    if (read.missing) return undefined
    throw new StrapiFault(`${file} cannot be read: ${read.reason}`)
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(read.bytes).toString('utf8'))
    if (isRecord(value)) return value
  } catch {}
  throw new StrapiFault(`${file} is not a JSON object`)
}
