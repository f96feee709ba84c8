// Finds the node of each alias in a YAML document: the nearest anchor of that name before it. Needs one pass, while the
// library's own `resolve` walks the document once per alias.

import { type Alias, type Document, isAlias, isNode, type Node, visit } from 'yaml'

/** Undefined for an alias whose anchor does not exist. */
export type AliasTargets = ReadonlyMap<Alias, Node | undefined>

/** Aliases in the order of the text. */
export function linkAliases(document: Document.Parsed, text: string): AliasTargets {
  // Without anchors, no alias has a target.
  if (!text.includes('&')) return new Map()
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node | undefined>()
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source))
      else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return targets
}
