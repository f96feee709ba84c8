// Lists what a caller may do with the entries of a content-type.

import type { Permissions } from '../access/principal.ts'
import { listOperationShapes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'

export const FILES = 'plugin::upload.file'

/** By the operation that needs it, as for content-types of the file. */
const PLUGIN_ACTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [FILES]: {
    find: 'plugin::upload.content-api.find',
    create: 'plugin::upload.content-api.upload',
    update: 'plugin::upload.content-api.upload',
    delete: 'plugin::upload.content-api.destroy',
  },
  'plugin::users-permissions.user': {
    find: 'plugin::users-permissions.user.find',
    findOne: 'plugin::users-permissions.user.findOne',
    create: 'plugin::users-permissions.user.create',
    update: 'plugin::users-permissions.user.update',
    delete: 'plugin::users-permissions.user.destroy',
    count: 'plugin::users-permissions.user.count',
    listRoles: 'plugin::users-permissions.role.find',
  },
}

export function listMay(type: ContentType, permissions: Pick<Permissions, 'can'>): readonly string[] {
  const own = PLUGIN_ACTIONS[type.uid]
  if (own !== undefined)
    return Object.entries(own).flatMap(([action, permission]) =>
      permissions.can(permission) ? [action] : [],
    )
  return listOperationShapes(type)
    .filter(({ permitted }) => permissions.can(`${type.uid}.${permitted}`))
    .map(({ action }) => action)
}
