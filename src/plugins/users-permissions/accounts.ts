// Reads and writes the identity, state and secrets of users for all APIs.

import type { Me } from '../../access/bind-permissions.ts'
import { everyPermission, type Permissions } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import { buildPathParams } from '../../query/params-of-paths.ts'
import { type EntryObject, toObject } from '../../query/rows/to-object.ts'
import type { Content } from '../../write/content.ts'

/** Decides whether a token of the user is accepted. */
interface LoginState {
  readonly id: number
  readonly blocked: boolean
  readonly confirmed: boolean
  readonly epoch: number
  readonly role: string | undefined
}

/** Includes fields that only the server may read. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly provider: string
  readonly passwordHash: string | undefined
  readonly blocked: boolean
  readonly confirmed: boolean
  readonly epoch: number
}

export interface Accounts {
  findLoginState(id: number): Promise<LoginState | undefined>
  findBy(name: AccountKey, value: string | number): Promise<Account | undefined>
  findRole(type: string): Promise<number | undefined>
  /** The user as rules see it: its id, and the values at the paths. */
  me(id: number, paths: readonly (readonly string[])[]): Promise<Me>
  /** Includes the role if the caller may read it. */
  show(id: number, access: Permissions, populate?: Params['populate']): Promise<EntryObject | undefined>
  /** The role may be set without permission for it; other related entries need permission. */
  create(data: Readonly<Record<string, unknown>>, permissions: Permissions): Promise<number>
  /** Writes without permission checks; a password may be given as a hash. */
  update(id: number, data: Readonly<Record<string, unknown>>): Promise<void>
  /** Writes only if the stored value is still this one; returns whether it was. */
  updateWhile(
    id: number,
    stored: { readonly name: string; readonly value: string | number },
    data: Readonly<Record<string, unknown>>,
  ): Promise<boolean>
}

let lastEpoch = 0

/** Concurrent changes may put an epoch this far ahead of the clock. */
const MAX_AHEAD_MS = 1000

/** Later than the epoch before, and different from that of a concurrent change. */
export function getNextEpoch(before: number, now: number): number {
  const others = Math.min(lastEpoch + 1, now + MAX_AHEAD_MS)
  lastEpoch = Math.max(now, before + 1, others)
  return lastEpoch
}

type AccountKey = 'id' | 'username' | 'email' | 'resetPasswordToken' | 'confirmationToken'

export const WITH_ROLE: NonNullable<Params['populate']> = new Map([['role', {}]])

const STANDING: Params = {
  fields: ['blocked', 'confirmed'],
  populate: new Map([['role', { fields: ['type'] }]]),
}
const SECRETS = ['username', 'email', 'provider', 'password', 'blocked', 'confirmed', 'tokenEpoch']
const ONLY_ID: Params = { fields: ['id'] }

export function createAccounts(content: Content, userType: ContentType, roleType: ContentType): Accounts {
  const standing = content.prepareFindOne(userType, STANDING, everyPermission, false)
  const trusted = { params: ONLY_ID, access: everyPermission, by: undefined, trusted: true } as const
  return {
    async findLoginState(id) {
      const [entry] = (await standing.run({ id })).entries
      if (entry === undefined) return undefined
      const { blocked, confirmed, role } = toObject(standing.plan, entry)
      const secrets = await content.findSecrets(userType, { name: 'id', value: id }, ['tokenEpoch'])
      return {
        id,
        blocked: blocked === true,
        confirmed: confirmed === true,
        epoch: Number(secrets?.values.get('tokenEpoch') ?? 0),
        role: getRole(role),
      }
    },
    async findBy(name, value) {
      // No stored text contains NUL, and some databases reject it as a value.
      if (typeof value === 'string' && value.includes('\0')) return undefined
      const found = await content.findSecrets(userType, { name, value }, SECRETS)
      if (found === undefined) return undefined
      const text = (key: string): string => String(found.values.get(key) ?? '')
      return {
        id: found.id,
        username: text('username'),
        email: text('email'),
        provider: text('provider'),
        passwordHash: text('password') || undefined,
        blocked: isTrue(found.values.get('blocked')),
        confirmed: isTrue(found.values.get('confirmed')),
        epoch: Number(found.values.get('tokenEpoch') ?? 0),
      }
    },
    async findRole(type) {
      return (await content.findFirst(roleType, { fields: ['id'], filters: { type } }))?.id
    },
    async me(id, paths) {
      if (paths.length === 0) return { id }
      return (await content.findOne(userType, id, buildPathParams(userType, paths))) ?? { id }
    },
    show: (id, access, populate) =>
      content.findOne(userType, id, populate === undefined ? {} : { populate }, access),
    async create(data, permissions) {
      const visible: Permissions['visible'] = (type) => type === roleType || permissions.visible(type)
      const access = { ...permissions, visible }
      const { entry } = await content.create(userType, data, { params: ONLY_ID, access, by: undefined })
      return Number(entry.row[entry.at])
    },
    async update(id, data) {
      await content.update(userType, id, data, trusted)
    },
    async updateWhile(id, onlyWhile, data) {
      try {
        await content.update(userType, id, data, { ...trusted, onlyWhile })
        return true
      } catch (error) {
        if (error instanceof ApiError && error.name === 'NotFoundError') return false
        throw error
      }
    },
  }
}

function isTrue(value: unknown): boolean {
  return value === 1 || value === true
}

function getRole(role: unknown): string | undefined {
  if (typeof role !== 'object' || role === null || !('type' in role)) return undefined
  return typeof role.type === 'string' ? role.type : undefined
}
