// The services `user` and `jwt` of Strapi's users-permissions plugin for users' code.

import type { UserClaims } from '../access/json-web-token.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Data, Entries, EntriesQuery } from './entries-query.ts'
import { getKey } from './strapi-core-entries.ts'

/** Undefined without users-permissions, or if logins are sessions. */
export interface TokenSigner {
  sign(id: number): string
  verify(token: string): Promise<UserClaims | undefined>
}

export interface StrapiUsers {
  readonly user: {
    fetch(id: number | string, query?: EntriesQuery): Promise<EntryObject | null>
    fetchAll(query?: EntriesQuery): Promise<EntryObject[]>
    /** With its role; null for a blocked or unknown user. */
    fetchAuthenticatedUser(id: number | string): Promise<EntryObject | null>
    count(filters?: Data): Promise<number>
    add(data: Data): Promise<EntryObject>
    edit(id: number | string, data: Data): Promise<EntryObject>
    remove(where: { readonly id: number | string }): Promise<EntryObject>
  }
  readonly jwt: {
    issue(payload: unknown): string
    /** Rejects for an invalid token. */
    verify(token: string): Promise<{ readonly id: number }>
    /** Of the request's header; null without a token. */
    getToken(context: unknown): Promise<{ readonly id: number } | null>
  }
}

const BEARER = /^Bearer +(\S.*)$/i

export function createStrapiUsers(
  getUsers: () => Entries,
  getSigner: () => TokenSigner | undefined,
): StrapiUsers {
  const signer = (): TokenSigner => {
    const found = getSigner()
    if (found === undefined)
      throw new Error('no token can be signed by code: logins are sessions ("jwtManagement: refresh")')
    return found
  }
  const verify = async (token: string): Promise<{ readonly id: number }> => {
    const claims = await signer().verify(token)
    if (claims === undefined) throw new ApiError('UnauthorizedError', 'Invalid token.')
    return { id: claims.id }
  }
  return {
    user: {
      fetch: (id, query) => getUsers().findOne(getKey(id), query),
      fetchAll: (query) => getUsers().findMany(query),
      async fetchAuthenticatedUser(id) {
        const user = await getUsers().findOne(getKey(id), { populate: ['role'] })
        return user?.['blocked'] === true ? null : user
      },
      count: (filters) => getUsers().count(filters === undefined ? {} : { filters }),
      add: (data) => getUsers().create(data, { populate: ['role'] }),
      edit: (id, data) => getUsers().update(getKey(id), data, { populate: ['role'] }),
      remove: ({ id }) => getUsers().delete(getKey(id)),
    },
    jwt: {
      issue(payload) {
        const id = isRecord(payload) ? Number(payload['id']) : Number.NaN
        if (!Number.isSafeInteger(id)) throw new TypeError('a token is issued for { id }, the id of a user')
        return signer().sign(id)
      },
      verify,
      async getToken(context) {
        const headers = isRecord(context) && isRecord(context['headers']) ? context['headers'] : {}
        const token = BEARER.exec(String(headers['authorization'] ?? ''))?.[1]
        return token === undefined ? null : verify(token)
      },
    },
  }
}
