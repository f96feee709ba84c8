// Finds the node of each alias in one pass, while the library's own `resolve` walks the document once per
// alias.

import { type Alias, type Document, isAlias, isNode, type Node, visit } from 'yaml'

export type AliasTargets = ReadonlyMap<Alias, Node | undefined>

export function linkAliases(document: Document.Parsed, text: string): AliasTargets {
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
