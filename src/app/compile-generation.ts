// A checked configuration -> a generation that can answer. Pure but for the database it is given: everything that
// can fail has failed before the swap (HOUSE flow 1).

import { createGuard } from '../auth/guard.ts'
import { hashPassword } from '../auth/hash-password.ts'
import { createPermissions } from '../auth/principal.ts'
import type { Config } from '../config/config.ts'
import { createContent } from '../content/create-content.ts'
import type { Database } from '../databases/database.ts'
import { createGateway } from '../http/gateway.ts'
import { createRouter } from '../http/router.ts'
import { actionsOfModel } from '../model/actions.ts'
import type { Model } from '../model/model.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { contributionsOf } from '../plugins/built-in-plugins.ts'
import { restRoutes } from '../rest/rest-routes.ts'
import { buildLayout, type ModelLayout } from '../sql/build-layout.ts'
import { summarizeAccess } from './access-summary.ts'
import type { Generation } from './generation.ts'

export interface GenerationParts {
  readonly config: Config
  readonly model: Model
  readonly layout: ModelLayout
  readonly database: Database
  /** Why the service is not ready, or undefined when it is. */
  notReady(): string | undefined
  onFault(fault: unknown, requestId: string | undefined): void
}

export function layoutOf(model: Model): ModelLayout {
  return buildLayout(model)
}

export function compileGeneration(parts: GenerationParts): Generation {
  const { config, model, layout, database } = parts
  const content = createContent({ layout, database, hashPassword, now: Date.now })
  const actions = actionsOfRoles(config, model)
  const guard = createGuard(createPermissions(actions.get('public') ?? new Set()), [])
  const router = createRouter(restRoutes(model, content, guard, config.rest))
  const handler = createGateway({
    router,
    cors: config.server.cors,
    production: config.server.environment === 'production',
    notReady: parts.notReady,
    onFault: parts.onFault,
  })
  return { config, model, layout, content, handler, access: summarizeAccess(model, actions) }
}

/** Action ids by role type; `public` is always there. */
function actionsOfRoles(config: Config, model: Model): ReadonlyMap<string, ReadonlySet<string>> {
  const all = actionsOfModel(
    model,
    contributionsOf(config).flatMap(({ actions }) => actions ?? []),
  )
  const byRole = new Map<string, ReadonlySet<string>>([['public', new Set()]])
  for (const [role, { permissions }] of Object.entries(config.auth.roles)) {
    byRole.set(role, new Set(permissions.flatMap((permission) => expandPermission(permission, all))))
  }
  return byRole
}
