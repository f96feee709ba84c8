// Explains why a caller may or may not do something, with the permissions, their rules and the SQL statement.

import { createBindable } from '../access/bind-permissions.ts'
import { getActionName, listAllActions } from '../access/permissions.ts'
import { everyPermission } from '../access/principal.ts'
import {
  type Alternative,
  buildRoleGrants,
  buildTokenGrants,
  type Grants,
  typeOfAction,
} from '../access/rules.ts'
import type { Config } from '../config/config.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { planIds } from '../plan/conditions/plan-ids.ts'
import { planFind } from '../plan/plan-read.ts'
import { enablePlugins, listContributions } from '../plugins/plugin-host.ts'
import { getClientDialect } from '../storage/open-database.ts'
import { buildLayout } from '../storage/sql/build-layout.ts'
import { compileRead } from '../storage/sql/compile-read.ts'

export type Explanation = { readonly text: string } | { readonly fault: string }

/** `public`, `role:editor`, `user:ann` (a user of the file) or `token:front-end`. */
export function explainPermission(config: Config, model: Model, who: string, pattern: string): Explanation {
  const actions = listAllActions(model, listContributions(enablePlugins(config)), config)
  const wanted = expandPermission(pattern, actions)
  if (wanted.length === 0) return { fault: `permission "${pattern}" names no action` }
  const found = findGrant(who, config, actions, model)
  if (typeof found === 'string') return { fault: found }
  const { granted, place, role } = found
  const lines = wanted.flatMap((action) => {
    const rules = granted.rules.get(action)
    if (!granted.actions.has(action)) return [`${action}: no`, `  nothing in ${place} allows it`, '']
    if (rules === undefined) return [`${action}: yes, without a rule`, `  ${place}`, '']
    const type = typeOfAction(model, action)
    const access = createBindable(granted, config.rest.publicDrafts, role, () => Date.now()).bind({ id: 1 })
    const asked = type === undefined ? undefined : buildStatement(config, model, type, action, access)
    return [
      `${action}: ${rules.length === 1 ? 'under a rule' : 'under one of these rules'}`,
      ...rules.flatMap(ruleLines),
      ...(asked === undefined ? [] : ['  asked of the database as', `    ${asked}`]),
      '',
    ]
  })
  return { text: `${lines.join('\n').trimEnd()}\n` }
}

export function findGrant(
  who: string,
  config: Config,
  actions: ReadonlySet<string>,
  model: Model,
): { readonly granted: Grants; readonly place: string; readonly role: string | undefined } | string {
  const [kind = '', name = ''] = who === 'public' ? ['role', 'public'] : who.split(/:(.*)/s)
  if (kind === 'token') {
    const token = config.auth.apiTokens.find((one) => one.name === name)
    if (token === undefined) return `there is no API token "${name}" in the file`
    const granted = buildTokenGrants(token, actions, model)
    return { granted, place: `auth.apiTokens["${name}"]`, role: undefined }
  }
  const user = kind === 'user' ? config.auth.users.find(({ username }) => username === name) : undefined
  if (kind === 'user' && user === undefined)
    return `there is no user "${name}" in the file: name the role, as in --as role:authenticated`
  if (kind !== 'user' && kind !== 'role') return 'write --as public, role:<type>, user:<name> or token:<name>'
  const role = kind === 'role' ? name : String(user?.['role'] ?? 'authenticated')
  const granted = buildRoleGrants(config.auth, actions, model).get(role)
  if (granted === undefined) return `there is no role "${role}" in the file`
  return { granted, place: `auth.roles.${role}.permissions`, role }
}

function ruleLines({ place, written }: Alternative): readonly string[] {
  const parts = Object.entries(written).map(
    ([part, value]) => `    ${part}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [`  ${place}`, ...(parts.length === 0 ? ['    without a rule'] : parts)]
}

function buildStatement(
  config: Config,
  model: Model,
  type: ContentType,
  action: string,
  access: Access,
): string | undefined {
  const name = getActionName(action)
  const dialect = getClientDialect(config.database)
  if (name === 'find' || name === 'findOne') {
    const resolveRule: Access['findRule'] = (of) => (of === type ? access.findRule(of, name) : undefined)
    const query = planFind(
      type,
      { fields: ['id'], locale: 'all', publicationState: 'preview' },
      { ...everyPermission, findRule: resolveRule },
    )
    return compileRead(query.plan, buildLayout(model), dialect).rows.statement.text
  }
  const written = name === 'destroy' ? 'delete' : name
  const rule = written === 'update' || written === 'delete' ? access.writeRule(type, written) : undefined
  const anyOf = rule?.alternatives.map(({ where }) => where)
  if (rule === undefined || anyOf === undefined || anyOf.includes(undefined)) return undefined
  const conditions = anyOf.filter((where) => where !== undefined)
  return compileRead(planIds(type, [1], conditions, rule.variables).plan, buildLayout(model), dialect).rows
    .statement.text
}
