// The contract of a shorthand: a step that rewrites the forms it recognizes into Strapi's, and leaves the rest alone.

import type { Expansion } from './expansion.ts'

/** Leaves other values unchanged and unreported, since later checks report them in terms of the full form. */
export type Shorthand = (expansion: Expansion, words: Words) => void

export interface AttributeAlias {
  readonly description: string
  /** `type` and further keys, which the author may override. */
  readonly attribute: Readonly<Record<string, unknown>> & { readonly type: string }
}

export interface PluginShorthands {
  readonly attributeAliases?: Readonly<Record<string, AttributeAlias>>
  /** Short names of its content-types: `user` -> `plugin::users-permissions.user`. */
  readonly typeNames?: Readonly<Record<string, string>>
  /** Keys of a content-type besides Strapi's, each with a test of its value. */
  readonly typeKeys?: Readonly<Record<string, (value: unknown) => boolean>>
  readonly expand?: readonly Shorthand[]
}

/** The additions of the core and of all plugins, including plugins that are switched off. */
export type Words = Required<PluginShorthands>

export function joinWords(parts: readonly PluginShorthands[]): Words {
  return {
    attributeAliases: Object.assign({}, ...parts.map(({ attributeAliases }) => attributeAliases)),
    typeNames: Object.assign({}, ...parts.map(({ typeNames }) => typeNames)),
    typeKeys: Object.assign({}, ...parts.map(({ typeKeys }) => typeKeys)),
    expand: parts.flatMap(({ expand = [] }) => expand),
  }
}
