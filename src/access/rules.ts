// Compiles the rules of permissions; each request binds the caller's values.

import type {
  ApiTokenConfig,
  AuthConfig,
  PermissionConfig,
  PermissionRuleConfig,
} from '../config/auth-config.ts'
import { checkExpression } from '../expressions/check-expression.ts'
import type { Expression, Type } from '../expressions/expression.ts'
import type { WriteAlternative } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { listPermissions } from '../model/permission-list.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { expandTokenPermissions, getActionName, implicitRoles } from './permissions.ts'
import { getRuleParts, getScopes } from './rule-scopes.ts'

/** Several permissions for the same action are alternatives. */
export interface Alternative extends WriteAlternative {
  readonly written: PermissionRuleConfig
}

export interface Grants {
  readonly actions: ReadonlySet<string>
  /** An action without an entry is allowed without a rule. */
  readonly rules: ReadonlyMap<string, readonly Alternative[]>
}

export function withoutRules(actions: ReadonlySet<string>): Grants {
  return { actions, rules: new Map() }
}

function grantedBy(
  permissions: readonly PermissionConfig[],
  place: string,
  actions: ReadonlySet<string>,
  model: Model,
): Grants {
  const alternatives = new Map<string, Alternative[]>()
  for (const { pattern, rule, path } of listPermissions(permissions)) {
    const at = path.length === 1 ? `${place}[${path[0]}]` : `${place}[${path[0]}]["${path[1]}"]`
    for (const action of expandPermission(pattern, actions)) {
      const type = typeOfAction(model, action)
      const found =
        rule === undefined || type === undefined
          ? unconditional(at)
          : compileRule(rule, type, action, at, model)
      const known = alternatives.get(action)
      if (known === undefined) alternatives.set(action, [found])
      else known.push(found)
    }
  }
  const rules = [...alternatives].filter(([, each]) => each.some(isRule))
  return { actions: new Set(alternatives.keys()), rules: new Map(rules) }
}

export function buildRoleGrants(
  auth: Pick<AuthConfig, 'roles'>,
  actions: ReadonlySet<string>,
  model: Model,
): ReadonlyMap<string, Grants> {
  const granted = new Map<string, Grants>(implicitRoles.map((role) => [role, withoutRules(new Set())]))
  for (const [role, { permissions }] of Object.entries(auth.roles)) {
    granted.set(role, grantedBy(permissions, `auth.roles.${role}.permissions`, actions, model))
  }
  return granted
}

export function buildTokenGrants(
  token: Pick<ApiTokenConfig, 'name' | 'type' | 'permissions'>,
  actions: ReadonlySet<string>,
  model: Model,
): Grants {
  const { name, type, permissions = [] } = token
  return type === 'custom'
    ? grantedBy(permissions, `auth.apiTokens["${name}"].permissions`, actions, model)
    : withoutRules(expandTokenPermissions(token, actions))
}

export function typeOfAction(model: Model, action: string): ContentType | undefined {
  const type = model.contentTypes.get(action.slice(0, action.lastIndexOf('.')))
  const name = getActionName(action)
  if (type === undefined || getRuleParts(name) === undefined) return undefined
  // Plugins read and write their other types in their own ways.
  return type.uid.startsWith('api::') || type === model.userType ? type : undefined
}

function unconditional(place: string): Alternative {
  return {
    where: undefined,
    check: undefined,
    set: new Map(),
    fields: undefined,
    place,
    texts: {},
    written: {},
  }
}

export function isRule({ where, check, set, fields }: Alternative): boolean {
  return where !== undefined || check !== undefined || set.size > 0 || fields !== undefined
}

function compileRule(
  rule: PermissionRuleConfig,
  type: ContentType,
  action: string,
  place: string,
  model: Model,
): Alternative {
  const parts = getRuleParts(getActionName(action)) ?? []
  const has = (part: (typeof parts)[number]): boolean => parts.includes(part) && rule[part] !== undefined
  const scopes = getScopes(model, type)
  const compile = (text: string, part: 'where' | 'check' | 'set'): Expression => {
    const checked = checkExpression(text, scopes[part])
    if (checked.ok) return checked.expression
    throw new TypeError(`${place}: ${checked.fault.message}`)
  }
  const set = has('set') ? Object.entries(rule.set ?? {}) : []
  return {
    where: has('where') ? compile(rule.where ?? '', 'where') : undefined,
    check: has('check') ? compile(rule.check ?? '', 'check') : undefined,
    set: new Map(
      set.map(([name, value]) => [name, typeof value === 'string' ? compile(value, 'set') : literal(value)]),
    ),
    fields: has('fields') ? new Set(rule.fields) : undefined,
    place,
    written: Object.fromEntries(parts.filter(has).map((part) => [part, rule[part]])),
    texts: { where: has('where') ? rule.where : undefined, check: has('check') ? rule.check : undefined },
  }
}

export function literal(value: number | boolean | null): Expression {
  const kind: Type['kind'] =
    value === null ? 'null' : typeof value === 'boolean' ? 'bool' : Number.isInteger(value) ? 'int' : 'number'
  return { kind: 'literal', value, type: { kind } as Type, range: [0, 0] }
}
