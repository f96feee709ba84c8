// Checks that content-types and plugins do not share paths of the REST router.

import type { CheckContext } from '../checking.ts'
import type { TypeSource } from '../type-source.ts'

export function checkPaths(checking: CheckContext): void {
  const { config, fault } = checking
  listPathOwners(checking, (type, segment, owner) => {
    const key = buildKey(type)
    const path = `${config.rest.prefix}/${segment}`
    fault('MOD004', [...type.path, 'info', key], `${type.uid} and ${owner} would both answer at ${path}`, {
      help: `give ${type.uid} another info.${key}`,
    })
  })
}

/**
 * Maps each first segment after the prefix to its owner. Calls `taken` for a content-type whose segment is in
 * use.
 */
export function listPathOwners(
  { contributions, sources }: Pick<CheckContext, 'contributions' | 'sources'>,
  taken: (type: TypeSource, segment: string, owner: string) => void = () => {},
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const { plugin, paths = [] } of contributions) {
    for (const path of paths) owners.set(path, `plugin ${plugin}`)
  }
  for (const type of sources.types.values()) {
    if (type.plugin !== undefined) continue
    const segment = type.config.info[buildKey(type)]
    const owner = owners.get(segment)
    if (owner === undefined) owners.set(segment, type.uid)
    else taken(type, segment, owner)
  }
  return owners
}

function buildKey({ config }: TypeSource): 'pluralName' | 'singularName' {
  return config.kind === 'collectionType' ? 'pluralName' : 'singularName'
}
