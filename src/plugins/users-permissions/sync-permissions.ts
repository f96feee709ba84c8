// Writes the permissions of the file's roles as rows for readers of `role.permissions`. The rows grant
// nothing: the file decides, and a role removed from it has no permissions.

import { everyPermission } from '../../access/principal.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { EntryObject } from '../../query/rows/to-object.ts'
import type { Content, SeedEntry } from '../../write/content.ts'

/** Marks roles that the file declares, or declared: their permissions are never read from the database. */
export const FROM_FILE = 'file'

interface SyncOptions {
  readonly content: Content
  readonly roleType: ContentType
  readonly permissionType: ContentType
  /** Keyed by the type of the role. */
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>
}

const WITH_ROLE = { populate: new Map([['role', { fields: ['id'] }]]) }
const MARK = { params: { fields: ['id'] }, access: everyPermission, by: undefined, trusted: true } as const

export async function syncPermissions(options: SyncOptions): Promise<void> {
  const { content, roleType, permissionType, declared } = options
  const gone: number[] = []
  const added: SeedEntry[] = []
  const stored = new Map<number | undefined, EntryObject[]>()
  for (const permission of await content.findAll(permissionType, WITH_ROLE)) {
    const role = getId(permission['role'])
    const known = stored.get(role)
    if (known === undefined) stored.set(role, [permission])
    else known.push(permission)
  }
  for (const { id, type } of await content.findAll(roleType, {})) {
    const actions = declared.get(String(type))
    const secrets = await content.findSecrets(roleType, { name: 'id', value: id }, ['origin'])
    const isMarked = secrets?.values.get('origin') === FROM_FILE
    if (actions === undefined && !isMarked) continue
    if (!isMarked) await content.update(roleType, id, { origin: FROM_FILE }, MARK)
    const wanted = new Set(actions)
    for (const permission of stored.get(id) ?? []) {
      if (!wanted.delete(String(permission['action']))) gone.push(permission.id)
    }
    for (const action of wanted) added.push({ type: permissionType, data: { action, role: id } })
  }
  if (gone.length === 0 && added.length === 0) return
  await content.seed(added, [{ type: permissionType, ids: gone }])
}

function getId(role: unknown): number | undefined {
  if (role === null || role === undefined) return undefined
  invariant(typeof role === 'object' && 'id' in role, 'a permission has one role')
  return Number(role.id)
}
