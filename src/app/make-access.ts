// Builds the guard of an app from the permissions of the file's roles and tokens.

import { createApiTokenStrategy } from '../access/api-tokens.ts'
import { type BindablePermissions, createBindable, withoutRule } from '../access/bind-permissions.ts'
import { createCallerLimit } from '../access/caller-limit.ts'
import { createExternalIdentity } from '../access/external-identity.ts'
import { type AuthStrategy, createGuard, type Guard } from '../access/guard.ts'
import { createPermissions } from '../access/principal.ts'
import { getReadingRules } from '../access/reading-rules.ts'
import { createRoleStrategy } from '../access/role-tokens.ts'
import { buildRoleGrants, buildTokenGrants } from '../access/rules.ts'
import type { PluginContext } from '../plugins/plugin.ts'
import type { ValidConfig } from './check-config.ts'
import type { Environment } from './environment.ts'

export interface Access {
  readonly guard: Guard
  /** May grow until the first request, because plugins add theirs. */
  readonly strategies: AuthStrategy[]
  readonly permissions: ReadonlyMap<string, BindablePermissions>
  readonly readingRules: PluginContext['readingRules']
}

export function makeAccess(valid: ValidConfig, environment: Environment): Access {
  const { config, model, actions } = valid
  const { now, roleTokens, requestWatch, attempts, tokenUses } = environment
  const { publicDrafts } = config.rest
  const { apiTokens: tokens } = config.auth
  const granted = buildRoleGrants(config.auth, actions, model)
  const permissions = new Map(
    [...granted].map(([role, rules]) => [role, createBindable(rules, publicDrafts, role, now)]),
  )
  const strategies: AuthStrategy[] = [
    createApiTokenStrategy({
      tokens,
      actions,
      model,
      publicDrafts,
      now,
      standIns: roleTokens,
      used: tokenUses.note,
    }),
  ]
  if (roleTokens !== undefined) strategies.push(createRoleStrategy(roleTokens, permissions))
  const providers = Object.entries(config.auth.providers)
    .map(([name, one]) => ({ name, ...one }))
    .filter(({ audience }) => audience.length > 0)
  if (providers.length > 0) strategies.push(createExternalIdentity({ providers, permissions, now }))
  const { rate } = config.server.limits
  const guard = createGuard({
    nobody: permissions.get('public') ?? withoutRule(createPermissions(new Set(), publicDrafts)),
    strategies,
    onCaller: requestWatch?.caller,
    admit: rate && createCallerLimit({ ...rate, store: attempts, now }),
  })
  const readingRules = getReadingRules([
    ...granted.values(),
    ...tokens.map((token) => buildTokenGrants(token, actions, model)),
  ])
  return { guard, strategies, permissions, readingRules }
}
