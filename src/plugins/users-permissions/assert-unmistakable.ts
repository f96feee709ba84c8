// A username must not be the address of another user, nor an address another user's name: logins take either.

import type { WithinTransaction, WriteEvent } from '../../content/lifecycle.ts'
import type { Work } from '../../databases/database.ts'
import { ApiError } from '../../errors/api-error.ts'

/** Throws ApplicationError. Runs within the transaction of the write, through whichever API it came. */
export function* assertUnmistakable(
  { type, data, id }: Pick<WriteEvent, 'type' | 'data' | 'id'>,
  within: WithinTransaction,
): Work<void> {
  const { username, email } = data
  const others = id === undefined ? {} : { id: { $ne: id } }
  function* isAnothers(name: 'username' | 'email', value: string): Work<boolean> {
    const filters = { [name]: { $eq: value }, ...others }
    const page = { kind: 'offset', start: 0, limit: 1 } as const
    return (yield* within.find(type, { fields: ['id'], filters, pagination: page })).length > 0
  }
  // Addresses are stored in lower case.
  if (typeof username === 'string' && (yield* isAnothers('email', username.trim().toLowerCase())))
    throw new ApiError('ApplicationError', 'Username already taken')
  if (typeof email === 'string' && (yield* isAnothers('username', email)))
    throw new ApiError('ApplicationError', 'Email already taken')
}
