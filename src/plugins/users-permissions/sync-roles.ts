// Writes the file's roles as rows that users refer to. Rows of removed roles stay without permissions, so
// that a typing error does not take roles from users.

import { implicitRoles } from '../../access/permissions.ts'
import { everyPermission } from '../../access/principal.ts'
import type { RoleConfig } from '../../config/auth-config.ts'
import { DECLARED_MOMENT } from '../../lib/declared-moment.ts'
import { deriveDocumentId } from '../../lib/document-id.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Content } from '../../write/content.ts'
import { FROM_FILE } from './sync-permissions.ts'

const WRITE = { params: { fields: ['id'] }, access: everyPermission, by: undefined } as const
const MAKE = { ...WRITE, trusted: true } as const

const implicitDescriptions: Readonly<Record<string, { name: string; description: string }>> = {
  authenticated: { name: 'Authenticated', description: 'Default role given to authenticated user.' },
  public: { name: 'Public', description: 'Default role given to unauthenticated user.' },
}

/** Creates missing roles and updates changed names. A new database numbers them as Strapi does. */
export async function syncRoles(
  content: Content,
  roleType: ContentType,
  roles: Readonly<Record<string, RoleConfig>>,
): Promise<void> {
  const known = new Map((await content.findAll(roleType, {})).map((role) => [String(role['type']), role]))
  const isNew = known.size === 0
  for (const [index, type] of [...roleTypes(roles)].entries()) {
    const { name, description } = roles[type] ?? implicitDescriptions[type] ?? { name: type, description: '' }
    const row = known.get(type)
    if (row === undefined)
      await content.create(
        roleType,
        {
          ...{ name, description, type, origin: FROM_FILE },
          ...{ createdAt: DECLARED_MOMENT, updatedAt: DECLARED_MOMENT },
          // The same at every start, like the ids of seeds.
          ...(isNew && roleType.document !== undefined
            ? { documentId: deriveDocumentId(roleType.uid, index + 1) }
            : {}),
        },
        MAKE,
      )
    else if (row['name'] !== name || row['description'] !== description) {
      await content.update(roleType, row.id, { name, description }, WRITE)
    }
  }
}

function roleTypes(roles: Readonly<Record<string, RoleConfig>>): ReadonlySet<string> {
  return new Set([...[...implicitRoles].reverse(), ...Object.keys(roles)])
}
