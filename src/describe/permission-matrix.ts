// Lists the permissions of a configuration: every action for every role and API token.

import { expandRolePermissions, expandTokenPermissions, listAllActions } from '../access/permissions.ts'
import { type Alternative, buildRoleGrants, buildTokenGrants, type Grants } from '../access/rules.ts'
import type { Config } from '../config/config.ts'
import type { Model } from '../model/model.ts'
import { accountActions, enablePlugins, listContributions } from '../plugins/plugin-host.ts'

interface PermissionMatrix {
  readonly actions: readonly string[]
  readonly roles: Readonly<Record<string, readonly string[]>>
  readonly apiTokens: Readonly<Record<string, readonly string[]>>
  /** Several rules for one action are alternatives. */
  readonly rules: {
    readonly roles: Readonly<Record<string, RulesByAction>>
    readonly apiTokens: Readonly<Record<string, RulesByAction>>
  }
}

type RulesByAction = Readonly<Record<string, readonly Alternative['written'][]>>

function getRules({ rules }: Grants): RulesByAction {
  return Object.fromEntries([...rules].map(([action, each]) => [action, each.map(({ written }) => written)]))
}

function ruledOnly(all: readonly (readonly [string, RulesByAction])[]): Record<string, RulesByAction> {
  return Object.fromEntries(all.filter(([, rules]) => Object.keys(rules).length > 0))
}

export function buildPermissionMatrix(config: Config, model: Model): PermissionMatrix {
  const actions = listAllActions(model, listContributions(enablePlugins(config)), config)
  // Keeps the order of `actions`, whatever the order in the configuration.
  const inOrder = (granted: ReadonlySet<string>): readonly string[] =>
    [...actions].filter((action) => granted.has(action))
  const roles = [...expandRolePermissions(config.auth, actions)]
  return {
    actions: [...actions],
    roles: Object.fromEntries(roles.map(([role, granted]) => [role, inOrder(granted)])),
    apiTokens: Object.fromEntries(
      config.auth.apiTokens.map((token) => [token.name, inOrder(expandTokenPermissions(token, actions))]),
    ),
    rules: {
      roles: ruledOnly(
        [...buildRoleGrants(config.auth, actions, model)].map(([role, granted]) => [role, getRules(granted)]),
      ),
      apiTokens: ruledOnly(
        config.auth.apiTokens.map((token) => [token.name, getRules(buildTokenGrants(token, actions, model))]),
      ),
    },
  }
}

export function formatMatrix({ actions, roles, apiTokens, rules }: PermissionMatrix): string {
  const columns = [
    ...Object.entries(roles).map(([name, granted]) => [name, granted, rules.roles[name]] as const),
    ...Object.entries(apiTokens).map(
      ([name, granted]) => [`token ${name}`, granted, rules.apiTokens[name]] as const,
    ),
  ].map(([name, granted, ruled = {}]) => ({ name, granted: new Set(granted), ruled }))
  const used = actions.filter((action) => columns.some(({ granted }) => granted.has(action)))
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`
  const lines = [
    row(['action', ...columns.map(({ name }) => name)]),
    `|---|${columns.map(() => ':-:|').join('')}`,
    ...used.map((action) =>
      row([
        action,
        ...columns.map(({ granted, ruled }) =>
          ruled[action] !== undefined ? 'rule' : granted.has(action) ? 'yes' : '',
        ),
      ]),
    ),
  ]
  const unused = actions.length - used.length
  const rest = unused === 0 ? '' : `\n${unused} of ${actions.length} actions are granted to nobody.\n`
  const closed = accountActions
    .filter(([action]) => actions.includes(action) && !(roles['public'] ?? []).includes(action))
    .map(([action, what]) => `- ${what}: \`${action}\`\n`)
  const accounts =
    closed.length === 0
      ? ''
      : `\nThe role public may not do this; auth.roles.public.permissions would open it:\n\n${closed.join('')}`
  const ruled = columns.flatMap(({ name, ruled: own }) =>
    Object.entries(own).flatMap(([action, each]) =>
      each.map((rule) => `- ${name}, ${action}: ${ruleText(rule)}\n`),
    ),
  )
  const listed =
    ruled.length === 0 ? '' : `\nRules (several for one action are alternatives):\n\n${ruled.join('')}`
  return `${lines.join('\n')}\n${rest}${listed}${accounts}`
}

function ruleText(rule: Alternative['written']): string {
  const parts = Object.entries(rule).map(([part, value]) => {
    if (typeof value === 'string') return `${part} ${value}`
    if (Array.isArray(value)) return `${part} ${value.join(', ')}`
    return `${part} ${Object.entries(value)
      .map(([name, text]) => `${name} = ${text}`)
      .join(', ')}`
  })
  return parts.length === 0 ? 'without a rule' : parts.join('; ')
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
