// Stores the nodes of a YAML document as plain numbers and one text, which can be transferred between threads
// without a copy.

import { isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml'
import type { AliasTargets } from './link-aliases.ts'
import { isMergeKey } from './yaml-value.ts'

export type NodeKind = 'text' | 'number' | 'constant' | 'map' | 'sequence' | 'alias'

/** Six numbers per node: kind, start and end (-1 without a position), two that depend on the kind, and flags. */
export interface SourceTree {
  readonly cells: Int32Array
  /** Node indexes: for a map its keys and values in turn (-1 for a missing one), for a sequence its items. */
  readonly links: Int32Array
  readonly texts: string
}

export const CELL = 6
export const KINDS: readonly NodeKind[] = ['text', 'number', 'constant', 'map', 'sequence', 'alias']
/** Nodes below it get no position. */
const MAX_DEPTH = 1000
export const FLOW = 1
export const MERGE = 2

/** The root is node 0; without a root, the tree is empty. */
export function createSourceTree(root: Node | null | undefined, aliases: AliasTargets): SourceTree {
  const cells: number[] = []
  const links: number[] = []
  const texts: string[] = []
  let length = 0
  const anchored = new Map<Node, number>()

  function add(node: unknown, depth: number): number {
    if (!isNode(node) || depth > MAX_DEPTH) return -1
    const index = cells.length / CELL
    const [start = -1, end = -1] = node.range ?? []
    const cell = (kind: NodeKind, first: number, second: number, flags: number): void => {
      cells.push(KINDS.indexOf(kind), start, end, first, second, flags)
    }
    if (isAlias(node)) {
      const target = aliases.get(node)
      cell('alias', target === undefined ? -1 : (anchored.get(target) ?? -1), 0, 0)
      return index
    }
    if (node.anchor !== undefined) anchored.set(node, index)
    if (isScalar(node)) {
      const { value } = node
      if (typeof value === 'string') {
        cell('text', length, value.length, isMergeKey(node) ? MERGE : 0)
        texts.push(value)
        length += value.length
      } else {
        // Other scalars are stored as text, so that paths find them when they are keys.
        const text = String(value)
        cell(typeof value === 'number' ? 'number' : 'constant', length, text.length, 0)
        texts.push(text)
        length += text.length
      }
      return index
    }
    if (!isMap(node) && !isSeq(node)) return -1
    cell(isMap(node) ? 'map' : 'sequence', 0, node.items.length, node.flow === true ? FLOW : 0)
    // Reserves the links first, since adding the children appends their own links.
    const first = links.length
    cells[index * CELL + 3] = first
    if (isMap(node)) {
      for (let left = node.items.length * 2; left > 0; left -= 1) links.push(-1)
      for (const [at, { key, value }] of node.items.entries()) {
        links[first + at * 2] = add(key, depth + 1)
        links[first + at * 2 + 1] = add(value, depth + 1)
      }
    } else {
      for (let left = node.items.length; left > 0; left -= 1) links.push(-1)
      for (const [at, item] of node.items.entries()) links[first + at] = add(item, depth + 1)
    }
    return index
  }

  add(root, 0)
  return { cells: Int32Array.from(cells), links: Int32Array.from(links), texts: texts.join('') }
}
