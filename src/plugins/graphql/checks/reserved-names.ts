// Names that plugins add to the schema. They are reserved even if the plugin is off, so that switching it on
// is safe.

import type { Plugin } from '../../plugin.ts'
import { schemaTypes } from '../graphql-names.ts'

export interface ReservedNames {
  readonly fields: ReadonlySet<string>
  hasType(name: string): boolean
  isOfPlugin(name: string): boolean
}

export function listReservedNames(plugins: readonly Pick<Plugin, 'graphqlNames'>[]): ReservedNames {
  const names = plugins.flatMap(({ graphqlNames }) => graphqlNames ?? [])
  const types = new Set([...schemaTypes, ...names.flatMap((one) => one.types ?? [])])
  const prefixes = names.flatMap((one) => one.typePrefixes ?? [])
  return {
    fields: new Set(names.flatMap(({ fields }) => fields)),
    hasType: (name) => types.has(name),
    isOfPlugin: (name) => prefixes.some((prefix) => name.startsWith(prefix)),
  }
}
