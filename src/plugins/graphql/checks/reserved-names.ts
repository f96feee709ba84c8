// Names that plugins add to the schema by hand: no content-type may be called so, whether the plugin is on or off, so
// that switching it on breaks nothing.

import type { Plugin } from '../../plugin.ts'
import { schemaTypes } from '../graphql-names.ts'

export interface ReservedNames {
  /** Of queries and mutations. */
  readonly fields: ReadonlySet<string>
  /** Whether every schema has, or may have, a type of that name. */
  hasType(name: string): boolean
  /** Whether only plugins have types with names that begin so. */
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
