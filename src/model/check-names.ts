// Names that content-types and components must not share: singular names, paths of the REST router, tables.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Checking } from './checking.ts'
import { isPluginEnabled } from './enabled-plugins.ts'
import { linkTableName, placesTableName } from './table-names.ts'
import type { ComponentSource, TypeSource } from './type-source.ts'

/** PostgreSQL cuts longer names without a word. */
const LONGEST_NAME = 63

export function checkNames(checking: Checking): void {
  checkSingularNames(checking)
  checkPaths(checking)
  checkTables(checking)
}

/** Plugins' singular names carry the plugin's name wherever they are used, so they do not count. */
function checkSingularNames({ sources, fault }: Checking): void {
  const owners = new Map<string, TypeSource>()
  for (const type of sources.types.values()) {
    if (type.plugin !== undefined) continue
    const name = type.config.info.singularName
    const owner = owners.get(name)
    if (owner === undefined) owners.set(name, type)
    else {
      fault(
        'MOD003',
        [...type.path, 'info', 'singularName'],
        `"${name}" is already the singular name of ${owner.uid}`,
        {
          help: 'give each content-type a singularName of its own',
        },
      )
    }
  }
}

/** First segments behind the prefix that plugins answer. */
const pluginPaths = {
  'users-permissions': ['auth', 'connect', 'users', 'users-permissions'],
  upload: ['upload'],
  i18n: ['i18n'],
  email: ['email'],
} as const satisfies Readonly<Record<string, readonly string[]>>

function checkPaths({ config, sources, fault }: Checking): void {
  const owners = new Map<string, string>()
  for (const [plugin, paths] of Object.entries(pluginPaths)) {
    if (isPluginEnabled(config, plugin)) for (const path of paths) owners.set(path, `plugin ${plugin}`)
  }
  for (const type of sources.types.values()) {
    if (type.plugin !== undefined) continue
    const { singularName, pluralName } = type.config.info
    const collection = type.config.kind === 'collectionType'
    const [key, segment] = collection ? ['pluralName', pluralName] : ['singularName', singularName]
    const owner = owners.get(segment)
    if (owner === undefined) owners.set(segment, type.uid)
    else {
      const path = `${config.rest.prefix}/${segment}`
      fault('MOD004', [...type.path, 'info', key], `${type.uid} and ${owner} would both answer at ${path}`, {
        help: `give ${type.uid} another info.${key}`,
      })
    }
  }
  const endpoint = graphqlEndpoint(config)
  const owner =
    endpoint === undefined
      ? undefined
      : (serverPaths.get(endpoint) ??
        [...owners].find(([segment]) => endpoint === `${config.rest.prefix}/${segment}`)?.[1])
  if (owner !== undefined) {
    const path = ['plugins', 'graphql', 'config', 'endpoint']
    fault('MOD004', path, `the GraphQL endpoint and ${owner} would both answer at ${endpoint}`, {
      help: 'give the endpoint another path, such as "/graphql"',
    })
  }
}

/** Answered before any route. */
const serverPaths: ReadonlyMap<string, string> = new Map([
  ['/_health', 'the server itself'],
  ['/_ready', 'the server itself'],
])

/** Undefined: the plugin is switched off. */
export function graphqlEndpoint(config: Checking['config']): string | undefined {
  if (!isPluginEnabled(config, 'graphql')) return undefined
  const endpoint = config.plugins['graphql']?.config['endpoint']
  return typeof endpoint === 'string' ? endpoint : '/graphql'
}

interface TableClaim {
  readonly name: string
  readonly what: string
  readonly path: DiagnosticPath
}

function checkTables({ sources, fault }: Checking): void {
  // Plugins first: where a table of theirs is taken, the file is to blame.
  const types = [...sources.types.values()]
  const holders = [
    ...types.filter(({ plugin }) => plugin !== undefined),
    ...types.filter(({ plugin }) => plugin === undefined),
    ...sources.components.values(),
  ]
  const owners = new Map<string, TableClaim>()
  // A holder's own table first: who chose a name must not hear that a derived one was there before.
  for (const claim of [...holders.map(ownTable), ...holders.flatMap(derivedTables)]) {
    // SQLite's names of tables ignore case.
    const owner = owners.get(claim.name.toLowerCase())
    if (owner === undefined) owners.set(claim.name.toLowerCase(), claim)
    else {
      fault('MOD005', claim.path, `${claim.what} and ${owner.what} would share the table "${claim.name}"`, {
        help: 'give one of them another collectionName',
      })
    }
  }
  for (const holder of holders) {
    const { name, path } = ownTable(holder)
    if (name.toLowerCase().startsWith('sqlite_')) {
      fault('MOD005', path, 'tables whose name begins with "sqlite_" belong to SQLite')
    }
    if (name.length > LONGEST_NAME) {
      fault(
        'MOD011',
        path,
        `a table's name has at most ${LONGEST_NAME} characters, "${name}" has ${name.length}`,
      )
    }
  }
}

function ownTable(holder: TypeSource | ComponentSource): TableClaim {
  return { name: holder.config.collectionName, what: holder.uid, path: [...holder.path, 'collectionName'] }
}

function derivedTables(holder: TypeSource | ComponentSource): TableClaim[] {
  const { collectionName } = holder.config
  const claims: TableClaim[] = []
  for (const { name, config, path } of holder.attributes) {
    const owns = config.mappedBy === undefined && config.morphBy === undefined
    if (config.type === 'media' || (config.type === 'relation' && owns)) {
      claims.push({ name: linkTableName(collectionName, name), what: `"${name}" of ${holder.uid}`, path })
    }
  }
  const placed = holder.attributes.find(({ config }) => ['component', 'dynamiczone'].includes(config.type))
  if (placed !== undefined) {
    const what = `the components of ${holder.uid}`
    claims.push({ name: placesTableName(collectionName), what, path: placed.path })
  }
  return claims
}
