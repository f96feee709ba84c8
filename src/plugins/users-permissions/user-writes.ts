// Creates and changes users for permitted callers. Fields on which logins depend (provider, tokens, epoch,
// ids) are never taken from a body.

import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Content, WriteOptions, WriteResult } from '../../write/content.ts'
import type { Accounts } from './accounts.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Body, listFaults, own } from './read-fields.ts'

export interface UserWrites {
  create(body: Body, options: WriteOptions): Promise<WriteResult>
  update(id: number, body: Body, options: WriteOptions): Promise<WriteResult>
}

interface UserWriteOptions {
  readonly content: Content
  readonly userType: ContentType
  readonly accounts: Accounts
  readonly options: Pick<UsersPermissionsOptions, 'uniqueEmail'>
}

const PROTECTED = new Set(['provider', 'resetPasswordToken', 'confirmationToken', 'tokenEpoch'])
const CREATE = [
  { name: 'email', email: true },
  { name: 'username', printable: true },
  { name: 'password' },
] as const
const UPDATE = [
  { name: 'email', email: true, optional: true },
  { name: 'username', printable: true, optional: true },
  { name: 'password', optional: true },
] as const

export function createUserWrites(options: UserWriteOptions): UserWrites {
  const { content, userType, accounts } = options
  const repeats = userType.document !== undefined
  /** Throws if another local account has the address. */
  async function assertFree(email: string, id: number | undefined): Promise<void> {
    if (!options.options.uniqueEmail) return
    const other = await accounts.findBy('email', email)
    if (other !== undefined && other.id !== id) throw applicationError('Email already taken')
  }

  /** In Strapi 5, the role may be named by its documentId. */
  const resolved = async (data: Body): Promise<Body> =>
    content.documents === undefined ? data : content.documents.resolve(userType, data)

  return {
    async create(body, options) {
      const faults = [...listFaults(body, CREATE, repeats)]
      if (own(body, 'role') === undefined || own(body, 'role') === null) {
        faults.push({ path: ['role'], message: 'role is a required field', name: 'ValidationError' })
      }
      if (faults.length > 0) throw createValidationErrors(faults)
      const data = getData(body)
      await assertFree(String(data['email']), undefined)
      const provided = { ...options, own: new Set([...(options.own ?? []), 'provider']) }
      return resolved(data)
        .then((known) => content.create(userType, { ...known, provider: 'local' }, provided))
        .catch(asApplicationError)
    },
    async update(id, body, options) {
      // First, so that a fault of the body does not reveal a user whom the caller's rules hide.
      await content.assertMayChange(userType, 'update', id, options.access).catch(asUserNotFound)
      const faults = [...listFaults(body, UPDATE, repeats)]
      if (removesRole(own(body, 'role'))) {
        const value = roleIn(body, 'disconnect')
        faults.push({
          path: ['role', 'disconnect'],
          message: 'Cannot remove role',
          name: 'ValidationError',
          ...(repeats && value !== undefined && { value }),
        })
      }
      if (faults.length > 0) throw createValidationErrors(faults)
      const data = getData(body)
      const { email, username } = data
      if (typeof username === 'string') {
        const other = await accounts.findBy('username', username)
        if (other !== undefined && other.id !== id) throw applicationError('Username already taken')
      }
      if (typeof email === 'string') await assertFree(email, id)
      return content.update(userType, id, await resolved(data), options).catch(asUserNotFound)
    },
  }
}

function getData(body: Body): Record<string, unknown> {
  const data = Object.fromEntries(Object.entries(body).filter(([name]) => !PROTECTED.has(name)))
  const { email } = data
  if (typeof email === 'string') data['email'] = email.toLowerCase()
  return data
}

/** `null`, an empty list, or a disconnect without a new role. */
function removesRole(role: unknown): boolean {
  if (role === null || (Array.isArray(role) && role.length === 0)) return true
  if (!isRecord(role)) return false
  const filled = (key: string): boolean => {
    const list = role[key]
    return Array.isArray(list) && list.length > 0
  }
  return Array.isArray(role['set']) && !filled('set') ? true : filled('disconnect') && !filled('connect')
}

function roleIn(body: Body, key: string): unknown {
  const role = own(body, 'role')
  return isRecord(role) ? own(role, key) : undefined
}

function asUserNotFound(error: unknown): never {
  throw error instanceof ApiError && error.name === 'NotFoundError'
    ? new ApiError('NotFoundError', 'User not found')
    : error
}

/** As in Strapi, only errors in the data of a new user have this form. */
function asApplicationError(error: unknown): never {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error
  const { errors } = error.details
  const messages = (Array.isArray(errors) ? errors : []).map((one) => String(buildRecord(one)['message']))
  const refused = applicationError(error.message)
  throw messages.length > 1 ? refused.because({ message: messages.join('; ') }) : refused
}

function applicationError(message: string): ApiError {
  return new ApiError('ApplicationError', message)
}
