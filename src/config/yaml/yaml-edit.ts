// Declares edits of a YAML text.

export type YamlPath = readonly (string | number)[]

export type YamlEdit =
  /** Adds the maps that are missing on the path. A map that replaces a map changes only the keys that differ. */
  | { readonly kind: 'set'; readonly path: YamlPath; readonly value: unknown }
  /** To the end of the list at the path, which is made if it is missing. */
  | { readonly kind: 'append'; readonly path: YamlPath; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: YamlPath }
  /** Changes the last key of the path. */
  | { readonly kind: 'rename'; readonly path: YamlPath; readonly to: string }

/** The message says why the text cannot be changed in this way. */
export class YamlEditFault extends Error {}
