// Summarizes the access that an app allows, so that an edit that widens it is reported.

import { buildRoleGrants, buildTokenGrants, type Grants, withoutRules } from '../access/rules.ts'
import type { IdentityProviderConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { isRecord } from '../lib/is-record.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isNoWider } from './compare-rules.ts'

export interface AccessSummary {
  /** By `the role public` or `the API token "x"`. */
  readonly granted: ReadonlyMap<string, Grants>
  /** `<uid>.<attribute>` of every private attribute, components included. */
  readonly hidden: ReadonlySet<string>
  readonly shown: ReadonlySet<string>
  /** Whether all callers with the `find` permission see drafts. */
  readonly publicDrafts: boolean
  readonly drafts: ReadonlySet<string>
  /** The uids of content-types without drafts that publish earlier drafts. */
  readonly publishing: ReadonlySet<string>
}

function summarizeAccess(
  model: Model,
  granted: AccessSummary['granted'],
  publicDrafts: boolean,
): AccessSummary {
  const hidden = new Set<string>()
  const shown = new Set<string>()
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of schema.attributes.values()) {
      const name = `${schema.uid}.${attribute.name}`
      if (attribute.private) hidden.add(name)
      else shown.add(name)
    }
  }
  const types = [...model.contentTypes.values()]
  const uids = (wanted: (type: ContentType) => boolean): ReadonlySet<string> =>
    new Set(types.filter(wanted).map(({ uid }) => uid))
  const drafts = uids((type) => type.draftAndPublish)
  const publishing = uids((type) => !type.draftAndPublish && type.options['draftsOff'] === 'publish')
  return { granted, hidden, shown, publicDrafts, drafts, publishing }
}

export function listWidenings(before: AccessSummary, after: AccessSummary): readonly string[] {
  const found: string[] = []
  for (const [who, { actions, rules }] of after.granted) {
    const had = before.granted.get(who)
    if (actions.has(FULL_ACCESS)) {
      if (had?.actions.has(FULL_ACCESS) !== true) found.push(`${who} gains full access`)
      continue
    }
    for (const action of actions) {
      if (had?.actions.has(action) !== true) {
        found.push(`${who} gains ${action}`)
        continue
      }
      const [was, is] = [had.rules.get(action), rules.get(action)]
      if (was === undefined) continue
      if (is === undefined) found.push(`the rule of ${who} for ${action} is gone`)
      else if (!isNoWider(was, is)) found.push(`the rule of ${who} for ${action} changed`)
    }
  }
  for (const name of before.hidden) {
    if (after.shown.has(name)) found.push(`${name} is no longer private`)
  }
  for (const uid of after.publishing) {
    if (before.drafts.has(uid))
      found.push(`unpublished entries of ${uid} are published (drafts: { off: publish })`)
  }
  if (after.publicDrafts && !before.publicDrafts) found.push('drafts become readable (rest.publicDrafts)')
  return found
}

/** Added to the actions of a full-access token, which also has rights without an action. */
const FULL_ACCESS = 'full access'

interface GrantSources {
  readonly config: Config
  readonly model: Model
  readonly actions: ReadonlySet<string>
}

export function getAccess({ config, model, actions }: GrantSources): AccessSummary {
  const granted = new Map<string, Grants>()
  for (const [role, own] of buildRoleGrants(config.auth, actions, model))
    granted.set(`the role ${role}`, role === 'public' ? withOpen(own, openToAll(config)) : own)
  for (const token of config.auth.apiTokens) {
    const own = buildTokenGrants(token, actions, model)
    const isFull = token.type === 'full-access'
    granted.set(
      `the API token "${token.name}"`,
      isFull ? withoutRules(new Set([...own.actions, FULL_ACCESS])) : own,
    )
  }
  for (const [name, provider] of Object.entries(config.auth.providers))
    granted.set(`the provider "${name}"`, withoutRules(new Set(listTrust(provider))))
  return summarizeAccess(model, granted, config.rest.publicDrafts)
}

/** Operations that a route or resolver with `auth: false` opens, without permission and so without a rule. */
function openToAll({ contentTypes, routes, graphql }: Config): readonly string[] {
  return [
    ...Object.entries(contentTypes).flatMap(([uid, { rest }]) =>
      Object.entries(rest.config).flatMap(([action, { auth }]) =>
        auth === false ? [`${uid}.${action}`] : [],
      ),
    ),
    ...routes.flatMap(({ auth, method, path }) => (auth === false ? [`${method} ${path}`] : [])),
    ...Object.entries(graphql.resolversConfig).flatMap(([key, options]) =>
      isRecord(options) && options['auth'] === false ? [key] : [],
    ),
  ]
}

function withOpen({ actions, rules }: Grants, open: readonly string[]): Grants {
  return {
    actions: new Set([...actions, ...open]),
    rules: new Map([...rules].filter(([action]) => !open.includes(action))),
  }
}

function listTrust({
  issuer,
  audience,
  roles = 'none',
  defaultRole,
  console,
}: IdentityProviderConfig): readonly string[] {
  return [
    ...(audience.length === 0
      ? []
      : [`${issuer} for ${audience.join(', ')}, roles ${roles}, else ${defaultRole}`]),
    ...(console === undefined ? [] : [`${issuer} names the users who log in to the console`]),
  ]
}
