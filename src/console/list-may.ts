// Lists what a caller may do with the entries of a content-type.

import type { Permissions } from '../access/principal.ts'
import { listOperationShapes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { LiveApp } from './console-context.ts'

export function listMay(
  type: ContentType,
  { can }: Pick<Permissions, 'can'>,
  { plugins }: Pick<LiveApp, 'plugins'>,
): readonly string[] {
  for (const { contribution } of plugins) {
    const own = contribution.operationPermissions?.[type.uid]
    if (own === undefined) continue
    return Object.entries(own).flatMap(([operation, permission]) => (can(permission) ? [operation] : []))
  }
  return listOperationShapes(type)
    .filter(({ permitted }) => can(`${type.uid}.${permitted}`))
    .map(({ action }) => action)
}
