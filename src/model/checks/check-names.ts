// Checks that content-types and components do not share singular names or tables.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { CheckContext } from '../checking.ts'
import { getPlacesTableName, hasOwnPrefix, linkTableName } from '../naming.ts'
import type { ComponentSource, TypeSource } from '../type-source.ts'

/** PostgreSQL truncates longer names silently. */
const MAX_NAME_BYTES = 63

export function checkNames(checking: CheckContext): void {
  checkSingularNames(checking)
  checkTables(checking)
}

/** Plugins' singular names are always used with the plugin's name. */
function checkSingularNames({ sources, fault }: CheckContext): void {
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

interface TableClaim {
  readonly name: string
  readonly what: string
  readonly path: DiagnosticPath
}

function checkTables({ sources, fault }: CheckContext): void {
  // A conflict with a plugin's table is reported for the file's content-type.
  const types = [...sources.types.values()]
  const schemas = [
    ...types.filter(({ plugin }) => plugin !== undefined),
    ...types.filter(({ plugin }) => plugin === undefined),
    ...sources.components.values(),
  ]
  const owners = new Map<string, TableClaim>()
  // A conflict is reported for the derived name.
  for (const claim of [...schemas.map(ownTable), ...schemas.flatMap(derivedTables)]) {
    // Table names in SQLite are case-insensitive.
    const owner = owners.get(claim.name.toLowerCase())
    if (owner === undefined) owners.set(claim.name.toLowerCase(), claim)
    else {
      fault('MOD005', claim.path, `${claim.what} and ${owner.what} would share the table "${claim.name}"`, {
        help: 'give one of them another collectionName',
      })
    }
  }
  for (const schema of schemas) {
    const { name, path } = ownTable(schema)
    if (name.toLowerCase().startsWith('sqlite_')) {
      fault('MOD005', path, 'tables whose name begins with "sqlite_" belong to SQLite')
    }
    if (hasOwnPrefix(name)) {
      fault('DBS012', path, `the table name "${name}" is reserved, as all that begin with "cms_run_"`, {
        help: 'choose another collectionName',
      })
    }
    if (name.length > MAX_NAME_BYTES) {
      fault(
        'MOD011',
        path,
        `a table's name has at most ${MAX_NAME_BYTES} characters, "${name}" has ${name.length}`,
      )
    }
  }
}

function ownTable(schema: TypeSource | ComponentSource): TableClaim {
  return { name: schema.config.collectionName, what: schema.uid, path: [...schema.path, 'collectionName'] }
}

function derivedTables(schema: TypeSource | ComponentSource): TableClaim[] {
  const { collectionName } = schema.config
  const claims: TableClaim[] = []
  for (const { name, config, path } of schema.attributes) {
    const owns = config.mappedBy === undefined && config.morphBy === undefined
    if (config.type === 'media' || (config.type === 'relation' && owns)) {
      claims.push({ name: linkTableName(collectionName, name), what: `"${name}" of ${schema.uid}`, path })
    }
  }
  const placed = schema.attributes.find(({ config }) => ['component', 'dynamiczone'].includes(config.type))
  if (placed !== undefined) {
    const what = `the components of ${schema.uid}`
    claims.push({ name: getPlacesTableName(collectionName), what, path: placed.path })
  }
  return claims
}
