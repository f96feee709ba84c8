// Manages roles of the file, which only the file changes, and roles made over HTTP, which the database stores
// with their permissions.

import { type BindablePermissions, withoutRule } from '../../access/bind-permissions.ts'
import { createPermissions, everyPermission } from '../../access/principal.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import { buildExactKey } from '../../lib/exact-key.ts'
import { slugify } from '../../lib/slugify.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import { getId } from '../../query/rows/entry.ts'
import type { EntryObject } from '../../query/rows/to-object.ts'
import type { Content } from '../../write/content.ts'
import type { Writer } from '../../write/recorded-changes.ts'
import { FROM_FILE } from './sync-permissions.ts'

export interface RoleFields {
  readonly name?: string
  readonly description?: string
  readonly actions?: readonly string[]
}

export interface Roles {
  list(): Promise<readonly (EntryObject & { readonly nb_users: number })[]>
  /** Throws NotFoundError "Role not found". */
  find(id: number): Promise<EntryObject>
  /** For both kinds of roles. */
  listPermissions(type: string): Promise<BindablePermissions>
  create(fields: RoleFields): Promise<void>
  update(id: number, fields: RoleFields): Promise<void>
  /** The role's users get the role `public`; `by` is the writer. */
  delete(id: number, by: Writer): Promise<void>
}

export interface RoleOptions {
  readonly content: Content
  readonly userType: ContentType
  readonly roleType: ContentType
  readonly permissionType: ContentType
  /** Undefined if the file does not declare the role. */
  declared(type: string): BindablePermissions | undefined
  /** Whether all callers with the `find` permission see drafts. */
  readonly publicDrafts: boolean
}

const WRITE = { params: { fields: ['id'] }, access: everyPermission, by: undefined } as const

/** Equal permissions share one object, so that cached plans are found again. */
const MAX_CACHED_PERMISSIONS = 1000

export function createRoles({
  content,
  userType,
  roleType,
  permissionType,
  declared,
  publicDrafts,
}: RoleOptions): Roles {
  const known = new BoundedCache<BindablePermissions>({ budget: MAX_CACHED_PERMISSIONS })
  const nothing = withoutRule(createPermissions(new Set(), publicDrafts))

  async function find(id: number): Promise<EntryObject> {
    const role = await content.findOne(roleType, id, {})
    if (role === undefined) throw new ApiError('NotFoundError', 'Role not found')
    return role
  }

  async function findChangeable(id: number): Promise<EntryObject> {
    const role = await find(id)
    const type = String(role['type'])
    if (declared(type) === undefined) return role
    throw new ApiError(
      'ApplicationError',
      `The role ${type} is declared in the configuration file and is changed there`,
    )
  }

  async function setActions(role: number, actions: readonly string[]): Promise<void> {
    for (const { id } of await content.findAll(permissionType, ofRole(role))) {
      await content.delete(permissionType, id, WRITE)
    }
    for (const action of actions) await content.create(permissionType, { action, role }, WRITE)
  }

  async function freeType(name: string): Promise<string> {
    const wanted = getType(name)
    const taken = new Set((await content.findAll(roleType, {})).map(({ type }) => String(type)))
    for (let suffix = 0; ; suffix++) {
      const type = suffix === 0 ? wanted : `${wanted}_${suffix}`
      if (!taken.has(type) && declared(type) === undefined) return type
    }
  }

  return {
    find,
    async list() {
      const listed = []
      for (const role of await content.findAll(roleType, {})) {
        listed.push({ ...role, nb_users: await content.count(userType, ofRole(role.id)) })
      }
      return listed
    },
    async listPermissions(type) {
      const fromFile = declared(type)
      if (fromFile !== undefined) return fromFile
      const role = await content.findSecrets(roleType, { name: 'type', value: type }, ['origin'])
      // A role that was removed from the file has no permissions.
      if (role === undefined || role.values.get('origin') === FROM_FILE) return nothing
      const stored = await content.findAll(permissionType, ofRole(role.id))
      const actions = stored.map(({ action }) => String(action))
      const key = buildExactKey(actions.sort())
      invariant(key !== undefined, 'the rows of names have names')
      const before = known.get(key)
      if (before !== undefined) return before
      const permissions = withoutRule(createPermissions(new Set(actions), publicDrafts))
      known.set(key, permissions)
      return permissions
    },
    create: ({ name = '', description = '', actions = [] }) =>
      content.inTransaction(async () => {
        const type = await freeType(name)
        const { entry } = await content.create(roleType, { name, description, type }, WRITE)
        await setActions(getId(entry), actions)
      }),
    update: (id, { actions, ...fields }) =>
      content.inTransaction(async () => {
        await findChangeable(id)
        // Setting permissions turns a role that was removed from the file into a role of the database.
        const own = actions === undefined ? fields : { ...fields, origin: null }
        await content.update(roleType, id, own, { ...WRITE, trusted: true })
        if (actions !== undefined) await setActions(id, actions)
      }),
    delete: (id, by) =>
      content.inTransaction(async () => {
        if ((await find(id))['type'] === 'public') {
          throw new ApiError('ApplicationError', 'Cannot delete public role')
        }
        await findChangeable(id)
        const standard = await content.findFirst(roleType, { filters: { type: 'public' } })
        for (const user of await content.findAll(userType, ofRole(id))) {
          await content.update(userType, user.id, { role: standard?.id ?? null }, { ...WRITE, by })
        }
        await setActions(id, [])
        await content.delete(roleType, id, WRITE)
      }),
  }
}

function ofRole(id: number): Params {
  return { filters: { role: { id } } }
}

/** Joined as in Strapi: `GqlRole2` is `gqlrole_2`. */
function getType(name: string): string {
  return (
    slugify(name)
      .match(/[a-z]+|\d+/g)
      ?.join('_') ?? 'role'
  )
}
