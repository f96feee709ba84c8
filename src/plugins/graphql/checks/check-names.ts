// Finds clashes of GraphQL names. A clash of two content-types is reported once, not for each of their
// GraphQL types.

import type { DiagnosticPath } from '../../../lib/errors/diagnostic.ts'
import type { CheckContext } from '../../../model/checking.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import type { ComponentSource, TypeSource } from '../../../model/type-source.ts'
import { getEnumName, getQueryNames, getZoneName, listMutationNames } from '../graphql-names.ts'
import type { ReservedNames } from './reserved-names.ts'

export function checkNames(checking: CheckContext, reserved: ReservedNames): void {
  const clashes = new Set<string>()
  checkTypeNames(checking, reserved, clashes)
  checkRootFields(checking, reserved, clashes)
}

interface Claim {
  readonly name: string
  readonly what: string
  readonly owner: string
  readonly path: DiagnosticPath
  readonly fromPlugin: boolean
}

function checkTypeNames(
  { schemas, fault }: CheckContext,
  reserved: ReservedNames,
  clashes: Set<string>,
): void {
  const types = [...schemas.types.values()]
  const components = [...schemas.components.values()]
  const claims = [
    ...types.map(({ built, source }) => getClaim(nameOfType(built), source)),
    ...components.map(({ built, source }) => getClaim(nameOfComponent(built), source)),
    ...types.flatMap(({ built, source }) => derivedClaims(nameOfType(built), source, typeSuffixes)),
    ...components.flatMap(({ built, source }) =>
      derivedClaims(nameOfComponent(built), source, componentSuffixes),
    ),
  ]
  const owners = new Map<string, Claim>()
  for (const claim of claims) {
    if (reserved.hasType(claim.name) || (reserved.isOfPlugin(claim.name) && !claim.fromPlugin)) {
      if (!claimOnce(clashes, claim.owner, 'GraphQL')) continue
      fault(
        'MOD051',
        claim.path,
        `GraphQL would call ${claim.what} "${claim.name}", which is a name of GraphQL itself`,
        {
          at: 'key',
          help: 'choose another name, or switch the graphql plugin off',
        },
      )
      continue
    }
    const other = owners.get(claim.name)
    if (other === undefined) owners.set(claim.name, claim)
    else if (!sameSingularName(claim, other, schemas.types) && claimOnce(clashes, claim.owner, other.owner)) {
      fault('MOD050', claim.path, `GraphQL would call ${other.what} and ${claim.what} both "${claim.name}"`, {
        at: 'key',
        help: 'rename one of them, or switch the graphql plugin off',
      })
    }
  }
}

/** Such a clash is already reported as MOD003, whether GraphQL is on or off. */
function sameSingularName(a: Claim, b: Claim, types: CheckContext['schemas']['types']): boolean {
  const name = types.get(a.owner)?.built.singularName
  return name !== undefined && a.owner !== b.owner && name === types.get(b.owner)?.built.singularName
}

function claimOnce(clashes: Set<string>, a: string, b: string): boolean {
  const pair = [a, b].sort().join(' ')
  if (clashes.has(pair)) return false
  clashes.add(pair)
  return true
}

const componentSuffixes = ['Input', 'FiltersInput']
const typeSuffixes = [
  ...componentSuffixes,
  'Entity',
  'EntityResponse',
  'EntityResponseCollection',
  'RelationResponseCollection',
  'WriteResponse',
]

function getClaim(name: string, source: TypeSource | ComponentSource): Claim {
  const fromPlugin = 'plugin' in source && source.plugin !== undefined
  return { name, what: source.uid, owner: source.uid, path: source.path, fromPlugin }
}

function derivedClaims(
  name: string,
  source: TypeSource | ComponentSource,
  suffixes: readonly string[],
): Claim[] {
  const base = getClaim(name, source)
  const claims = suffixes.map((suffix) => ({
    ...base,
    name: `${name}${suffix}`,
    what: `the ${suffix} of ${source.uid}`,
  }))
  for (const attribute of source.attributes) {
    const claim = { ...base, path: attribute.path, what: `"${attribute.name}" of ${source.uid}` }
    if (attribute.config.type === 'enumeration') {
      claims.push({ ...claim, name: getEnumName(name, attribute.name) })
    } else if (attribute.config.type === 'dynamiczone') {
      const zone = getZoneName(name, attribute.name)
      claims.push({ ...claim, name: zone }, { ...claim, name: `${zone}Input` })
    }
  }
  return claims
}

function checkRootFields(
  { schemas, fault }: CheckContext,
  reserved: ReservedNames,
  clashes: Set<string>,
): void {
  const owners = new Map<string, ContentType>()
  for (const { built, source } of schemas.types.values()) {
    if (source.plugin !== undefined) continue
    for (const { name, key, kind } of getRootFields(built)) {
      const path = [...source.path, 'info', key]
      // A query and a mutation may have the same name.
      const place = `${kind} ${name}`
      const owner = owners.get(place)
      if (reserved.fields.has(name)) {
        fault('MOD052', path, `the GraphQL ${kind} "${name}" belongs to a plugin`, {
          help: `choose another ${key}`,
        })
      } else if (owner === built) {
        fault('MOD052', path, `singularName and pluralName both make the GraphQL ${kind} "${name}"`, {
          help: 'choose a pluralName that differs from the singularName',
        })
      } else if (owner === undefined) owners.set(place, built)
      else if (owner.singularName !== built.singularName && claimOnce(clashes, owner.uid, built.uid)) {
        fault('MOD052', path, `${owner.uid} and ${built.uid} would both have the GraphQL ${kind} "${name}"`, {
          help: `choose another ${key}`,
        })
      }
    }
  }
}

function getRootFields(type: ContentType) {
  const { one, many } = getQueryNames(type)
  return [
    { name: one, key: 'singularName', kind: 'query' },
    ...(many === undefined ? [] : [{ name: many, key: 'pluralName', kind: 'query' }]),
    ...listMutationNames(type).map((name) => ({ name, key: 'singularName', kind: 'mutation' })),
  ]
}
