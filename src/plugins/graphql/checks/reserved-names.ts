// Names that plugins add to the schema themselves. No content-type may have them, whether the plugin is on or off, so
// that switching the plugin on breaks nothing.

import type { Plugin } from '../../plugin.ts'
import { schemaTypes } from '../graphql-names.ts'

export interface ReservedNames {
  /** Names of queries and mutations. */
  readonly fields: ReadonlySet<string>
  /** Whether every schema has, or may have, a type with that name. */
  hasType(name: string): boolean
  /** Whether the name begins with a prefix that only plugins' types have. */
  isOfPlugin(name: string): boolean
}

export function reservedNames(plugins: readonly Pick<Plugin, 'graphqlNames'>[]): ReservedNames {
  const names = plugins.flatMap(({ graphqlNames }) => graphqlNames ?? [])
  const types = new Set([...schemaTypes, ...names.flatMap((one) => one.types ?? [])])
  const prefixes = names.flatMap((one) => one.typePrefixes ?? [])
  return {
    fields: new Set(names.flatMap(({ fields }) => fields)),
    hasType: (name) => types.has(name),
    isOfPlugin: (name) => prefixes.some((prefix) => name.startsWith(prefix)),
  }
}
