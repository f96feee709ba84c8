// The contract of a shorthand: a step that rewrites the forms it recognizes into Strapi's, and leaves the rest alone.

import type { Expansion } from './expansion.ts'

/**
 * Recognizes one natural form and rewrites it. Of values that it does not recognize it changes nothing and says nothing:
 * the checks that follow do, in the words of the full form. On a file in the full form it does nothing.
 */
export type Shorthand = (expansion: Expansion, words: Words) => void

/** Another name of an attribute type, with what it stands for. */
export interface AttributeAlias {
  /** For editors and the documentation. */
  readonly description: string
  /** `type` and further keys, which the author may give otherwise. */
  readonly attribute: Readonly<Record<string, unknown>> & { readonly type: string }
}

/** The additions of a plugin to the language. */
export interface PluginShorthands {
  readonly attributeAliases?: Readonly<Record<string, AttributeAlias>>
  /** Short names of its content-types: `user` -> `plugin::users-permissions.user`. */
  readonly typeNames?: Readonly<Record<string, string>>
  /**
   * Keys of a content-type besides Strapi's, each with whether a value is one that the key has: a map with such a key
   * is not the type's attributes.
   */
  readonly typeKeys?: Readonly<Record<string, (value: unknown) => boolean>>
  /** Run after those of the core: content-types and attributes are in their full form. */
  readonly expand?: readonly Shorthand[]
}

/** The language of a file: what the core and all plugins add to it, whether these are switched on or not. */
export type Words = Required<PluginShorthands>

export function joinWords(parts: readonly PluginShorthands[]): Words {
  return {
    attributeAliases: Object.assign({}, ...parts.map(({ attributeAliases }) => attributeAliases)),
    typeNames: Object.assign({}, ...parts.map(({ typeNames }) => typeNames)),
    typeKeys: Object.assign({}, ...parts.map(({ typeKeys }) => typeKeys)),
    expand: parts.flatMap(({ expand = [] }) => expand),
  }
}
