// The caller as users' code sees it: `state.user` with its role, and `state.auth`.

import type { Permissions, Principal } from '../access/principal.ts'
import type { Model } from '../model/model.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Content } from './content.ts'

export interface CallerState {
  /** Undefined for API tokens and anonymous requests; without private attributes. */
  readonly user: EntryObject | undefined
  readonly auth: {
    readonly strategy: { readonly name: 'users-permissions' | 'api-token' }
    readonly credentials: Readonly<Record<string, unknown>> | null
    readonly ability: { can(action: string): boolean }
  }
}

export type ReadCallerState = (principal: Principal) => Promise<CallerState>

/** By `auth`. */
const callers = new WeakMap<object, Permissions>()

/** Of the caller that `auth` is about; undefined for other objects. */
export function findCallerPermissions(auth: object): Permissions | undefined {
  return callers.get(auth)
}

export function createCallerState(model: Model, content: Content): ReadCallerState {
  const { userType: type } = model

  async function readUser({ id }: Principal): Promise<EntryObject | undefined> {
    if (id === undefined || type === undefined) return undefined
    return content.findOne(type, id, { populate: new Map([['role', {}]]) })
  }

  return async (principal) => {
    const user = await readUser(principal)
    const token = principal.kind === 'api-token'
    const ability = { can: (action: string) => principal.permissions.can(action) }
    const auth: CallerState['auth'] = {
      strategy: { name: token ? 'api-token' : 'users-permissions' },
      credentials: token ? { source: principal.source } : (user ?? null),
      ability,
    }
    callers.set(auth, principal.permissions)
    return { user, auth }
  }
}
