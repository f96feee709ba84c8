// Warns about policies on an operation in one API that the other API leaves open. Operations that are not
// served or not permitted count as closed.

import { expandRolePermissions, expandTokenPermissions } from '../../../access/permissions.ts'
import type { AuthConfig } from '../../../config/auth-config.ts'
import type { Config } from '../../../config/config.ts'
import type { Diagnostic, DiagnosticPath } from '../../../lib/errors/diagnostic.ts'
import { buildRecord, isRecord } from '../../../lib/is-record.ts'
import { generatedActions } from '../../../model/actions.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import { nameOfType } from '../../../model/naming.ts'
import { expandPermission } from '../../../model/permission-pattern.ts'
import type { ShadowCrudSettings } from '../../shadow-crud-settings.ts'
import { getQueryNames } from '../graphql-names.ts'

export interface FieldOptions {
  readonly auth: unknown
  readonly policies: DiagnosticPath | undefined
}

interface GraphqlSide {
  readonly shadowCrud: ShadowCrudSettings
  /** By `Type.field`. */
  readonly fields: ReadonlyMap<string, FieldOptions>
}

/** Whether code may guard fields: guards are then unknown until the schema is built. */
export function guardsInCode({ graphql }: Config, registers: boolean): boolean {
  return registers || graphql.extensions.some((extension) => typeof extension === 'string')
}

export function listWrittenFields({ graphql }: Config): ReadonlyMap<string, FieldOptions> {
  const fields = new Map<string, FieldOptions>()
  const add = (given: unknown, path: DiagnosticPath): void => {
    for (const [field, options] of Object.entries(buildRecord(given))) {
      if (!isRecord(options)) continue
      const before = fields.get(field)
      fields.set(field, {
        auth: options['auth'] ?? before?.auth,
        policies: hasPolicies(options) ? [...path, field, 'policies'] : before?.policies,
      })
    }
  }
  for (const [index, extension] of graphql.extensions.entries()) {
    if (!isRecord(extension)) continue
    add(extension['resolversConfig'], ['graphql', 'extensions', index, 'resolversConfig'])
  }
  add(graphql.resolversConfig, ['graphql', 'resolversConfig'])
  return fields
}

export function findOneSidedPolicies(
  config: Config,
  model: Model,
  actions: ReadonlySet<string>,
  { shadowCrud, fields }: GraphqlSide,
): readonly Diagnostic[] {
  const generates = config.plugins['graphql']?.config['shadowCRUD'] !== false
  const permitted = permittedActions(config.auth, actions)
  const isOpen = (auth: unknown, action: string): boolean => {
    if (auth === false) return true
    const scope = isRecord(auth) && Array.isArray(auth['scope']) ? auth['scope'].map(String) : [action]
    return scope.every((pattern) => expandPermission(pattern, actions).some((one) => permitted.has(one)))
  }
  const found: Diagnostic[] = []
  for (const type of model.contentTypes.values()) {
    const own = config.contentTypes[type.uid]
    if (own === undefined) continue
    for (const action of generatedActions[type.kind]) {
      const id = `${type.uid}.${action}`
      const field = getField(type, action)
      const options = fields.get(field)
      const route = own.rest.config[action]
      const guarded = { rest: hasPolicies(route), graphql: options?.policies }
      const openInGraphql = generates && serves(shadowCrud, type, action) && isOpen(options?.auth, id)
      if (guarded.rest && guarded.graphql === undefined && openInGraphql) {
        const path = ['contentTypes', own.sourceKey, 'rest', 'config', action, 'policies']
        found.push(
          warning(
            path,
            `these policies guard "${action}" over REST only: GraphQL's ${field} is open`,
            `guard it, too: "graphql: { resolversConfig: { ${field}: { policies: [...] } } }", or switch it off: "graphql: { shadowCRUD: { ${own.sourceKey}: { disableActions: [${action}] } } }"; ${asRule(type, action)}`,
          ),
        )
      }
      const openOverRest = type.rest.actions.has(action) && isOpen(route?.auth, id)
      if (guarded.graphql !== undefined && !guarded.rest && openOverRest) {
        found.push(
          warning(
            guarded.graphql,
            `these policies guard GraphQL's ${field} only: "${action}" of ${type.uid} is open over REST`,
            `guard it, too: "contentTypes: { ${own.sourceKey}: { rest: { config: { ${action}: { policies: [...] } } } } }", or switch it off: "rest: { except: [${action}] }"; ${asRule(type, action)}`,
          ),
        )
      }
    }
  }
  return found
}

/** Both APIs apply a permission's rule. */
function asRule({ sourceKey, singularName }: ContentType, action: string): string {
  const part = action === 'create' ? 'check' : 'where'
  return `a condition about entries can be said once for both, as a rule of the permission: "${sourceKey ?? singularName}.${action}: { ${part}: ... }"`
}

function warning(path: DiagnosticPath, message: string, help: string): Diagnostic {
  return { code: 'USR016', severity: 'warning', path, message, help, at: 'key' }
}

function permittedActions(auth: AuthConfig, actions: ReadonlySet<string>): ReadonlySet<string> {
  const roles = [...expandRolePermissions(auth, actions).values()]
  const tokens = auth.apiTokens.map((token) => expandTokenPermissions(token, actions))
  return new Set([...roles, ...tokens].flatMap((granted) => [...granted]))
}

function hasPolicies(options: unknown): boolean {
  return isRecord(options) && Array.isArray(options['policies']) && options['policies'].length > 0
}

function serves(shadowCrud: ShadowCrudSettings, { uid }: ContentType, action: string): boolean {
  const reads = action === 'find' || action === 'findOne'
  const kind = reads ? shadowCrud.areQueriesEnabled(uid) : shadowCrud.areMutationsEnabled(uid)
  return kind && shadowCrud.isTypeEnabled(uid) && shadowCrud.isActionEnabled(uid, action)
}

/** `Query.articles`. */
function getField(type: ContentType, action: string): string {
  const { one, many = one } = getQueryNames(type)
  if (action === 'find') return `Query.${many}`
  return action === 'findOne' ? `Query.${one}` : `Mutation.${action}${nameOfType(type)}`
}
