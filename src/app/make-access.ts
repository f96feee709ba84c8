// Who asks, and may they: the guard of a generation, with the permissions of the file's roles and tokens.

import { createApiTokenStrategy } from '../auth/api-tokens.ts'
import type { AttemptStore } from '../auth/attempt-store.ts'
import { type BindablePermissions, bindable, unruled } from '../auth/bind-permissions.ts'
import { createCallerLimit } from '../auth/caller-limit.ts'
import { createExternalIdentity } from '../auth/external-identity.ts'
import { type AuthStrategy, createGuard, type Guard } from '../auth/guard.ts'
import { createPermissions } from '../auth/principal.ts'
import { readingRulesOf } from '../auth/reading-rules.ts'
import { createRoleStrategy } from '../auth/role-tokens.ts'
import { grantedRoles, grantedToken } from '../auth/rules.ts'
import type { PluginContext } from '../plugins/plugin.ts'
import type { RequestWatch } from '../request-log/request-watch.ts'
import type { ValidConfig } from './check-config.ts'
import type { Instance } from './instance.ts'

export interface AccessNeeds extends Pick<ValidConfig, 'config' | 'model' | 'actions'> {
  readonly instance: Instance
  /** The counters of rate limits. */
  readonly tries: AttemptStore
  /** Undefined when nobody looks on while requests are answered. */
  readonly requestWatch: RequestWatch | undefined
  /** Called with the name of the API token of every request that has one. */
  tokenUsed(name: string): void
}

export interface GenerationAccess {
  readonly guard: Guard
  /** May grow until the first request, because plugins bring theirs. */
  readonly strategies: AuthStrategy[]
  /** By role. */
  readonly permissions: ReadonlyMap<string, BindablePermissions>
  readonly readingRules: PluginContext['readingRules']
}

export function makeAccess(needs: AccessNeeds): GenerationAccess {
  const { config, model, actions, instance, requestWatch } = needs
  const { now, roleTokens } = instance
  const { publicDrafts } = config.rest
  const { apiTokens: tokens } = config.auth
  const granted = grantedRoles(config.auth, actions, model)
  const permissions = new Map(
    [...granted].map(([role, rules]) => [role, bindable(rules, publicDrafts, role, now)]),
  )
  const strategies: AuthStrategy[] = [
    createApiTokenStrategy({
      tokens,
      actions,
      model,
      publicDrafts,
      now,
      standIns: roleTokens,
      used: needs.tokenUsed,
    }),
  ]
  if (roleTokens !== undefined) strategies.push(createRoleStrategy(roleTokens, permissions))
  const providers = Object.entries(config.auth.providers).map(([name, one]) => ({ name, ...one }))
  if (providers.length > 0) strategies.push(createExternalIdentity({ providers, permissions, now }))
  const { rate } = config.server.limits
  const guard = createGuard({
    nobody: permissions.get('public') ?? unruled(createPermissions(new Set(), publicDrafts)),
    strategies,
    onCaller: requestWatch?.caller,
    admit: rate && createCallerLimit({ ...rate, store: needs.tries, now }),
  })
  const readingRules = readingRulesOf([
    ...granted.values(),
    ...tokens.map((token) => grantedToken(token, actions, model)),
  ])
  return { guard, strategies, permissions, readingRules }
}
