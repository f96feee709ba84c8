// Lists the permissions of a checked configuration: every action for every role and API token.

import { allActions, rolePermissions, tokenPermissions } from '../auth/permissions.ts'
import type { Config } from '../config/config.ts'
import type { Model } from '../model/model.ts'
import { accountActions, contributionsOf, enablePlugins } from '../plugins/plugin-host.ts'

export interface PermissionMatrix {
  /** All actions, in the order of the model. */
  readonly actions: readonly string[]
  /** By role type. */
  readonly roles: Readonly<Record<string, readonly string[]>>
  /** By name. */
  readonly apiTokens: Readonly<Record<string, readonly string[]>>
}

export function permissionMatrix(config: Config, model: Model): PermissionMatrix {
  const actions = allActions(model, contributionsOf(enablePlugins(config)))
  // Always in the order of `actions`, whatever the order in the configuration.
  const inOrder = (granted: ReadonlySet<string>): readonly string[] =>
    [...actions].filter((action) => granted.has(action))
  const roles = [...rolePermissions(config.auth, actions)]
  return {
    actions: [...actions],
    roles: Object.fromEntries(roles.map(([role, granted]) => [role, inOrder(granted)])),
    apiTokens: Object.fromEntries(
      config.auth.apiTokens.map((token) => [token.name, inOrder(tokenPermissions(token, actions))]),
    ),
  }
}

/** A table with one row for each action that is granted to somebody, and a line with the number of other actions. */
export function matrixMarkdown({ actions, roles, apiTokens }: PermissionMatrix): string {
  const columns = [
    ...Object.entries(roles),
    ...Object.entries(apiTokens).map(([name, granted]) => [`token ${name}`, granted] as const),
  ].map(([name, granted]) => ({ name, granted: new Set(granted) }))
  const used = actions.filter((action) => columns.some(({ granted }) => granted.has(action)))
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`
  const lines = [
    row(['action', ...columns.map(({ name }) => name)]),
    `|---|${columns.map(() => ':-:|').join('')}`,
    ...used.map((action) =>
      row([action, ...columns.map(({ granted }) => (granted.has(action) ? 'yes' : ''))]),
    ),
  ]
  const unused = actions.length - used.length
  const rest = unused === 0 ? '' : `\n${unused} of ${actions.length} actions are for nobody.\n`
  const closed = accountActions
    .filter(([action]) => actions.includes(action) && !(roles['public'] ?? []).includes(action))
    .map(([action, what]) => `- ${what}: \`${action}\`\n`)
  const accounts =
    closed.length === 0
      ? ''
      : `\nThe role public may not do this; auth.roles.public.permissions would open it:\n\n${closed.join('')}`
  return `${lines.join('\n')}\n${rest}${accounts}`
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
