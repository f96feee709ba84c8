// Summarizes what a generation lets everybody access, and what the next one would add: an edit that makes something
// readable is reported.

import { allActions, rolePermissions } from '../auth/permissions.ts'
import { grantedRoles, ruleTexts } from '../auth/rules.ts'
import type { Config } from '../config/config.ts'
import type { Model } from '../model/model.ts'
import { contributionsOf, enablePlugins } from '../plugins/plugin-host.ts'
import { isRecord } from '../util/is-record.ts'

export interface AccessSummary {
  /** Action ids by role type. */
  readonly actions: ReadonlyMap<string, ReadonlySet<string>>
  /** By role type and action: the rules, as text; an action without rules is not there. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** `<uid>.<attribute>` of every private attribute, components included. */
  readonly hidden: ReadonlySet<string>
  /** `<uid>.<attribute>` of every other attribute. */
  readonly shown: ReadonlySet<string>
  /** Whether all callers with the `find` permission see drafts. */
  readonly publicDrafts: boolean
}

function summarizeAccess(
  model: Model,
  actions: ReadonlyMap<string, ReadonlySet<string>>,
  publicDrafts: boolean,
  rules: AccessSummary['rules'] = new Map(),
): AccessSummary {
  const hidden = new Set<string>()
  const shown = new Set<string>()
  for (const holder of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of holder.attributes.values()) {
      const name = `${holder.uid}.${attribute.name}`
      if (attribute.private) hidden.add(name)
      else shown.add(name)
    }
  }
  return { actions, rules, hidden, shown, publicDrafts }
}

/** One sentence for each access that `after` allows and `before` did not. */
export function widenings(before: AccessSummary, after: AccessSummary): readonly string[] {
  const found: string[] = []
  for (const [role, actions] of after.actions) {
    const had = before.actions.get(role)
    for (const action of actions) {
      if (had?.has(action) !== true) found.push(`the role ${role} gains ${action}`)
      else {
        const [was, is] = [before.rules.get(role)?.get(action), after.rules.get(role)?.get(action)]
        if (was === undefined || was === is) continue
        const change = is === undefined ? 'is gone' : 'changed'
        found.push(`the rule of the role ${role} for ${action} ${change}`)
      }
    }
  }
  for (const name of before.hidden) {
    if (after.shown.has(name)) found.push(`${name} is no longer private`)
  }
  if (after.publicDrafts && !before.publicDrafts) found.push('drafts become readable (rest.publicDrafts)')
  return found
}

/** The summary of a configuration, without making a generation of it. */
export function accessOf(config: Config, model: Model): AccessSummary {
  const actions = allActions(model, contributionsOf(enablePlugins(config)))
  const granted = new Map(rolePermissions(config.auth, actions))
  const open = [
    ...Object.entries(config.contentTypes).flatMap(([uid, { rest }]) =>
      Object.entries(rest.config).flatMap(([action, { auth }]) =>
        auth === false ? [`${uid}.${action}`] : [],
      ),
    ),
    ...config.routes.flatMap(({ auth, method, path }) => (auth === false ? [`${method} ${path}`] : [])),
    ...Object.entries(config.graphql.resolversConfig).flatMap(([key, options]) =>
      isRecord(options) && options['auth'] === false ? [key] : [],
    ),
  ]
  // A route with `auth: false` is open to everybody.
  if (open.length > 0) granted.set('public', new Set([...(granted.get('public') ?? []), ...open]))
  const rules = new Map(
    [...grantedRoles(config.auth, actions, model)].map(
      ([role, { rules: own }]) => [role, ruleTexts(own)] as const,
    ),
  )
  return summarizeAccess(model, granted, config.rest.publicDrafts, rules)
}
