// Binds the rules of a role or token to a caller. Equal callers share one object and its cached plans, unless
// a rule uses the time.

import { type Expression, listPaths } from '../expressions/expression.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { buildExactKey } from '../lib/exact-key.ts'
import { createPermissions, type Permissions } from './principal.ts'
import type { Alternative, Grants } from './rules.ts'

export interface Me {
  readonly id: number
  readonly [name: string]: unknown
}

export interface BindablePermissions {
  bind(me?: Me): Permissions
  readonly mePaths: readonly (readonly string[])[]
}

export function withoutRule(permissions: Permissions): BindablePermissions {
  return { bind: () => permissions, mePaths: [] }
}

const MAX_CACHED_CALLERS = 1000

/** `role`: the type of the role; undefined for API tokens. */
export function createBindable(
  { actions, rules }: Grants,
  publicDrafts: boolean,
  role: string | undefined,
  now: () => number,
): BindablePermissions {
  if (rules.size === 0) return withoutRule(createPermissions(actions, publicDrafts))
  const paths = [...rules.values()].flat().flatMap(listExpressions).flatMap(listPaths)
  const named = (name: string) => paths.filter(({ root }) => root.kind === 'variable' && root.name === name)
  const namesTime = named('now').length > 0
  const kept = new BoundedCache<Permissions>({ budget: MAX_CACHED_CALLERS })
  const make = (me: Me | undefined): Permissions =>
    createPermissions(actions, publicDrafts, rules, { me: me ?? null, role: role ?? null, now: now() })
  return {
    mePaths: named('me')
      .map(({ names }) => names)
      .filter(([first, ...more]) => first !== undefined && (first !== 'id' || more.length > 0)),
    bind(me) {
      const key = namesTime ? undefined : buildExactKey(me)
      if (key === undefined) return { ...make(me), isShared: false }
      const known = kept.get(key)
      if (known !== undefined) return known
      const permissions = make(me)
      kept.set(key, permissions)
      return permissions
    },
  }
}

function listExpressions({ where, check, set }: Alternative): readonly Expression[] {
  return [where, check, ...set.values()].filter((one) => one !== undefined)
}
