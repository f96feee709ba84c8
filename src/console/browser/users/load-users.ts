// Reads and writes users and roles through the API, whose answers are flat objects.

import type { Entry, Model } from '../../described.ts'
import { queryText } from '../data/values.ts'
import { api } from '../server.ts'

export interface Role {
  readonly id: number
  readonly name: string
  readonly type: string
}

export interface User extends Entry {
  readonly username: string
  readonly email: string
  readonly confirmed: boolean
  readonly blocked: boolean
  readonly role?: Role | null
}

export interface UserView {
  readonly search: string
  /** The id of a role; empty: all. */
  readonly role: string
  readonly page: number
}

export const PAGE_USERS = 25

export interface UserPage {
  readonly users: readonly User[]
  readonly total: number
}

/** `may`: the actions of the caller; without `count` there is a further page if one is full. */
export async function readUsers(
  { prefix }: Model,
  may: readonly string[],
  { search, role, page }: UserView,
): Promise<UserPage> {
  const names = ['username', 'email'].map((name) => ({ [name]: { $containsi: search } }))
  const filters = {
    ...(search === '' ? {} : { $or: names }),
    ...(role === '' ? {} : { role: { id: { $eq: role } } }),
  }
  const query = queryText({
    filters,
    ...(may.includes('listRoles') && { populate: { role: 'true' } }),
    sort: 'username:asc',
    start: (page - 1) * PAGE_USERS,
    limit: PAGE_USERS,
  })
  const [users, total] = await Promise.all([
    api<readonly User[]>(`${prefix}/users?${query}`),
    may.includes('count') ? api<number>(`${prefix}/users/count?${queryText({ filters })}`) : undefined,
  ])
  const isFull = users.length === PAGE_USERS
  return { users, total: total ?? (page - 1) * PAGE_USERS + users.length + (isFull ? 1 : 0) }
}

export async function readRoles({ prefix }: Model): Promise<readonly Role[]> {
  return (await api<{ roles: readonly Role[] }>(`${prefix}/users-permissions/roles`)).roles
}

export async function writeUser(
  { prefix }: Model,
  id: number | undefined,
  data: Readonly<Record<string, unknown>>,
): Promise<User> {
  return id === undefined
    ? api<User>(`${prefix}/users`, 'POST', data)
    : api<User>(`${prefix}/users/${id}`, 'PUT', data)
}

export async function removeUser({ prefix }: Model, { id }: User): Promise<void> {
  await api(`${prefix}/users/${id}`, 'DELETE')
}
