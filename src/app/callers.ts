// Sends requests of the embedding program as a user, role or API token.

import type { RoleTokens } from '../access/role-tokens.ts'
import type { InjectFetch } from '../http/inject.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { App } from './app.ts'

/** A user by name or e-mail address, a role without a user, or an API token by name or text. */
export type Caller = string | { readonly role: string } | { readonly token: string }

export interface GraphqlResult<T> {
  readonly data?: T | null
  readonly errors?: readonly { readonly message: string; readonly [key: string]: unknown }[]
}

export interface CallerOptions {
  readonly fetch: InjectFetch
  readonly roleTokens: RoleTokens
  current(): App
}

/** Looks up the caller at each request. */
export function fetchAs({ fetch, roleTokens, current }: CallerOptions, caller: Caller): InjectFetch {
  return async (input, init) => {
    const token = await readToken(caller, current(), roleTokens)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
}

async function readToken(caller: Caller, app: App, roleTokens: RoleTokens): Promise<string> {
  const { auth } = app.config
  if (typeof caller === 'string') {
    const token = await app.userToken(caller)
    if (token !== undefined) return token
    throw new TypeError(`as("${caller}"): there is no user with this name or e-mail address`)
  }
  if ('role' in caller) {
    const roles = Object.keys(auth.roles)
    if (roles.includes(caller.role)) return roleTokens.getToken(caller.role)
    const hint = didYouMean(caller.role, roles)
    throw new TypeError(
      `as({ role }): the file declares no role "${caller.role}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
    )
  }
  const named = auth.apiTokens.find(({ name }) => name === caller.token)
  if (named === undefined) return caller.token
  const [newest] = [named.token ?? []].flat()
  if (newest !== undefined) return newest
  throw new TypeError(
    `as({ token }): the file has only the hash of the API token "${named.name}": give its text instead`,
  )
}

export async function askGraphql<T>(
  fetch: InjectFetch,
  endpoint: string | undefined,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<GraphqlResult<T>> {
  if (endpoint === undefined) throw new TypeError('graphql(): the file does not switch GraphQL on')
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const answer: unknown = await response.json()
  return answer as GraphqlResult<T>
}
