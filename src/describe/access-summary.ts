// Summarizes the access that an app allows, so that an edit that widens it is reported.

import { buildRoleGrants, buildTokenGrants, type Grants, withoutRules } from '../access/rules.ts'
import type { IdentityProviderConfig, RoleConfig } from '../config/auth-config.ts'
import type { Config, GeneratedRouteConfig } from '../config/config.ts'
import { listPaths } from '../expressions/expression.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Attribute, Schema } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { STANDARD_PAGES } from '../model/roles.ts'
import { isNoWider } from './compare-rules.ts'

export interface AccessSummary {
  /** By `the role public` or `the API token "x"`. */
  readonly granted: ReadonlyMap<string, Grants>
  /** `<uid>.<attribute>` and `table <name>.<attribute>` of every private attribute and password, components included. */
  readonly hidden: ReadonlySet<string>
  /** By `<uid>.<attribute>`, the attributes whose stored values it shows: itself under all its names, and those it is made of. */
  readonly shown: ReadonlyMap<string, readonly string[]>
  /** By action, the options of its route. */
  readonly options: ReadonlyMap<string, GeneratedRouteConfig>
  /** Whether all callers with the `find` permission see drafts. */
  readonly publicDrafts: boolean
  readonly drafts: ReadonlySet<string>
  /** The uids of content-types without drafts that publish earlier drafts. */
  readonly publishing: ReadonlySet<string>
}

function summarizeAccess({ config, model }: GrantSources, granted: AccessSummary['granted']): AccessSummary {
  const hidden = new Set<string>()
  const shown = new Map<string, readonly string[]>()
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of schema.attributes.values()) {
      const isHidden = attribute.private || attribute.type === 'password'
      if (isHidden) for (const name of listNames(schema, attribute.name)) hidden.add(name)
      else shown.set(`${schema.uid}.${attribute.name}`, listSources(schema, attribute))
    }
  }
  const types = [...model.contentTypes.values()]
  const uids = (wanted: (type: ContentType) => boolean): ReadonlySet<string> =>
    new Set(types.filter(wanted).map(({ uid }) => uid))
  const drafts = uids((type) => type.draftAndPublish)
  const publishing = uids((type) => !type.draftAndPublish && type.options['draftsOff'] === 'publish')
  const options = Object.entries(config.contentTypes).flatMap(([uid, { rest }]) =>
    Object.entries(rest.config).map(([action, route]) => [`${uid}.${action}`, route] as const),
  )
  const { publicDrafts } = config.rest
  return { granted, hidden, shown, options: new Map(options), publicDrafts, drafts, publishing }
}

function listNames({ uid, collectionName, renamedFrom }: Schema, name: string): readonly string[] {
  const owners = [uid, `table ${collectionName}`, ...(renamedFrom === undefined ? [] : [renamedFrom])]
  return owners.map((owner) => `${owner}.${name}`)
}

function listSources(schema: Schema, attribute: Attribute): readonly string[] {
  const names = [attribute.name]
  if (attribute.renamedFrom !== undefined) names.push(attribute.renamedFrom)
  if (attribute.kind === 'scalar') {
    const { computed, targetField } = attribute
    if (computed !== undefined)
      names.push(...listPaths(computed.expression).map(({ names: [first = ''] }) => first))
    if (targetField !== undefined) names.push(targetField)
  }
  return names.flatMap((name) => listNames(schema, name))
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
  for (const [name, sources] of after.shown) {
    const source = sources.find((one) => before.hidden.has(one))
    if (source === undefined || before.shown.get(name)?.includes(source) === true) continue
    found.push(
      source === name ? `${name} is no longer private` : `${name} shows ${source}, which was private`,
    )
  }
  for (const [action, was] of before.options)
    found.push(...listOpened(action, was, after.options.get(action)))
  for (const uid of after.publishing) {
    if (before.drafts.has(uid))
      found.push(`unpublished entries of ${uid} are published (drafts: { off: publish })`)
  }
  if (after.publicDrafts && !before.publicDrafts) found.push('drafts become readable (rest.publicDrafts)')
  return found
}

/** The role gains no permission, but the route asks for less. */
function listOpened(
  action: string,
  was: GeneratedRouteConfig,
  is: GeneratedRouteConfig = {},
): readonly string[] {
  const found: string[] = []
  if (was.closed !== undefined && is.closed === undefined) found.push(`${action} is no longer closed`)
  if (was.auth && JSON.stringify(was.auth) !== JSON.stringify(is.auth))
    found.push(`${action} asks for other permissions (auth.scope)`)
  const kept = new Set(is.policies?.map((policy) => JSON.stringify(policy)))
  for (const policy of was.policies ?? []) {
    const text = JSON.stringify(policy)
    if (!kept.has(text)) found.push(`the policy ${text} of ${action} is gone`)
  }
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
  for (const [role, own] of buildRoleGrants(config.auth, actions, model)) {
    const added = [...(role === 'public' ? openToAll(config) : []), ...listPages(config.auth.roles[role])]
    granted.set(`the role ${role}`, withOpen(own, added))
  }
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
  return summarizeAccess({ config, model, actions }, granted)
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

function listPages({ console }: Partial<RoleConfig> = {}): readonly string[] {
  return console === undefined
    ? []
    : (console.pages ?? STANDARD_PAGES).map((page) => `the page ${page} of the console`)
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
