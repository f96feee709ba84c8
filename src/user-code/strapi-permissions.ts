// `strapi.db.query('plugin::users-permissions.permission')` for users' code: permissions stand in the file, so code reads them,
// and a write that would grant or withdraw one has no effect but a warning.

import { isRecord } from '../lib/is-record.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { StrapiQuery } from './strapi-query.ts'

export const PERMISSION_TYPE = 'plugin::users-permissions.permission'

interface PermissionsOptions {
  /** Roles of the database: `{ id, name, type }`. */
  listRoles(): Promise<readonly EntryObject[]>
  /** By the type of the role. */
  listActions(role: string): ReadonlySet<string>
  warn(message: string): void
}

type Question = Readonly<Record<string, unknown>>

export function createPermissionQuery({ listRoles, listActions, warn }: PermissionsOptions): StrapiQuery {
  async function list({ where }: Question = {}): Promise<EntryObject[]> {
    const { id, action, role, ...others } = isRecord(where) ? where : {}
    const [other] = Object.keys(others)
    if (other !== undefined)
      throw new TypeError(`permissions are found by "id", "action" and "role", not by "${other}"`)
    const all = (await listRoles()).flatMap((one) =>
      [...listActions(String(one['type']))].map((name) => ({ action: name, role: one })),
    )
    return all
      .map((one, index) => ({ id: index + 1, ...one }))
      .filter((one) => isMeant(id, one.id) && isMeant(action, one.action) && isRole(role, one.role))
  }

  async function note(data: unknown): Promise<EntryObject> {
    const { action, role } = isRecord(data) ? data : {}
    const [known] = await list({ where: { action, role } })
    if (known !== undefined) return known
    const found = (await listRoles()).find((one) => isRole(role, one))
    const place = `auth.roles.${String(found?.['type'] ?? '<role>')}.permissions`
    warn(`code grants ${String(action)}, which has no effect: permissions stand in the file, under ${place}`)
    return { id: 0, action, role }
  }

  const keep = (found: readonly EntryObject[]): void => {
    if (found.length > 0)
      warn(`code changes ${found.length} permissions, which has no effect: they stand in the file`)
  }

  const query: StrapiQuery = {
    findMany: list,
    findOne: async (question) => (await list(question))[0] ?? null,
    async findWithCount(question) {
      const found = await list(question)
      return [found, found.length]
    },
    count: async (question) => (await list(question)).length,
    create: async ({ data }) => note(data),
    async createMany({ data }) {
      const made: EntryObject[] = []
      for (const one of [data].flat()) made.push(await note(one))
      return { count: made.length, ids: made.map(({ id }) => id) }
    },
    async update({ where }) {
      const found = await list({ where })
      keep(found)
      return found[0] ?? null
    },
    async updateMany({ where }) {
      keep(await list({ where }))
      return { count: 0 }
    },
    async delete({ where }) {
      const found = await list({ where })
      keep(found)
      return found[0] ?? null
    },
    async deleteMany({ where } = {}) {
      keep(await list({ where }))
      return { count: 0 }
    },
  }
  return query
}

/** A value, `{ $eq }` or `{ $in }`. */
function isMeant(asked: unknown, value: unknown): boolean {
  if (asked === undefined) return true
  if (!isRecord(asked)) return [asked].flat().some((one) => String(one) === String(value))
  return isMeant(asked['$eq'] ?? asked['$in'] ?? [], value)
}

/** An id, or `{ id }`, `{ type }` or `{ name }`. */
function isRole(asked: unknown, role: EntryObject): boolean {
  if (!isRecord(asked)) return isMeant(asked, role.id)
  const names = ['id', 'type', 'name'].filter((name) => asked[name] !== undefined)
  if (names.length === 0) return isMeant(asked, role.id)
  return names.every((name) => isMeant(asked[name], role[name]))
}
