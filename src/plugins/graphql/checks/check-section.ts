// Checks that the content-types, fields and resolvers in the `graphql` section exist.

import type { RouteConfig } from '../../../config/config.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../../lib/errors/diagnostic.ts'
import { buildRecord, isRecord } from '../../../lib/is-record.ts'
import { generatedActions } from '../../../model/actions.ts'
import { type CheckContext, formatSuggestion } from '../../../model/checking.ts'
import { checkRoute } from '../../../model/checks/check-routes.ts'
import { expandTypeName, suggestUid } from '../../../model/find-target.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import { getQueryNames, listMutationNames } from '../graphql-names.ts'
import type { ReservedNames } from './reserved-names.ts'

export function checkSection(checking: CheckContext, reserved: ReservedNames): void {
  const { shadowCRUD, resolversConfig } = checking.config.graphql
  for (const [key, value] of Object.entries(shadowCRUD)) {
    if (isRecord(value)) checkShadowCrud(key, value, checking)
  }
  const fields = fieldsOfSchema(checking, reserved)
  for (const [key, value] of Object.entries(resolversConfig)) {
    const path = ['graphql', 'resolversConfig', key]
    checkResolver(key, path, fields, reserved, checking)
    if (isRecord(value)) checkRoute(value as RouteConfig, path, checking)
  }
}

function checkShadowCrud(
  key: string,
  value: Readonly<Record<string, unknown>>,
  checking: CheckContext,
): void {
  const { sources, fault } = checking
  const path = ['graphql', 'shadowCRUD', key]
  const uids = [...sources.types.keys(), ...sources.components.keys()]
  const uid = expandTypeName(key, uids)
  const type = sources.types.get(uid ?? '')
  const schema = type ?? sources.components.get(uid ?? '')
  if (schema === undefined) {
    fault('MOD068', path, `unknown content-type "${key}"`, {
      at: 'key',
      help: formatSuggestion(suggestUid(key, uids), uids),
    })
    return
  }
  const names = schema.attributes.map(({ name }) => name)
  const system = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations']
  const fields = buildRecord(value['fields'])
  for (const field of Object.keys(fields)) {
    if (names.includes(field) || system.includes(field)) continue
    fault('MOD069', [...path, 'fields', field], `${schema.uid} has no attribute "${field}"`, {
      at: 'key',
      help: formatSuggestion(didYouMean(field, names), names),
    })
  }
  const disabled = Array.isArray(value['disableActions']) ? value['disableActions'] : []
  const known = type === undefined ? [] : generatedActions[type.config.kind]
  for (const [index, action] of disabled.entries()) {
    if (known.some((name) => name === action)) continue
    fault('MOD069', [...path, 'disableActions', index], `${schema.uid} has no action "${action}"`, {
      help: formatSuggestion(didYouMean(String(action), known), known),
    })
  }
}

/** Code may add any type and field, so with code, names are checked when the schema is built. */
function checkResolver(
  key: string,
  path: DiagnosticPath,
  fields: ReadonlyMap<string, ReadonlySet<string>>,
  reserved: ReservedNames,
  { config, program, fault }: CheckContext,
): void {
  const [typeName = '', fieldName = ''] = key.split('.')
  if (config.graphql.extensions.length > 0 || config.extensions !== undefined || program.registers) return
  const known = fields.get(typeName)
  if (known === undefined && (reserved.isOfPlugin(typeName) || reserved.hasType(typeName))) return
  if (known === undefined) {
    const near = didYouMean(typeName, fields.keys())
    fault('MOD070', path, `GraphQL has no type "${typeName}"`, {
      at: 'key',
      help: near === undefined ? undefined : `did you mean "${near}.${fieldName}"?`,
    })
  } else if (!known.has(fieldName)) {
    const near = didYouMean(fieldName, known)
    fault('MOD070', path, `GraphQL's type ${typeName} has no field "${fieldName}"`, {
      at: 'key',
      help: near === undefined ? undefined : `did you mean "${typeName}.${near}"?`,
    })
  }
}

function fieldsOfSchema(
  { schemas }: CheckContext,
  reserved: ReservedNames,
): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>()
  const query = new Set<string>(reserved.fields)
  const mutation = new Set<string>(reserved.fields)
  fields.set('Query', query).set('Mutation', mutation)
  for (const { built, source } of schemas.types.values()) {
    const { one, many } = getQueryNames(built)
    query.add(one)
    if (many !== undefined) query.add(many)
    for (const name of listMutationNames(built)) mutation.add(name)
    const name = nameOfType(built)
    const attributes = source.attributes.map((attribute) => attribute.name)
    fields.set(name, new Set([...attributes, ...built.systemAttributes.keys(), 'locale', 'localizations']))
    fields.set(`${name}Entity`, new Set(['id', 'attributes']))
    fields.set(`${name}EntityResponse`, new Set(['data']))
    fields.set(`${name}EntityResponseCollection`, new Set(['data', 'meta']))
    fields.set(`${name}RelationResponseCollection`, new Set(['data']))
  }
  for (const { built, source } of schemas.components.values()) {
    const attributes = source.attributes.map((attribute) => attribute.name)
    fields.set(nameOfComponent(built), new Set(['id', ...attributes]))
  }
  return fields
}
