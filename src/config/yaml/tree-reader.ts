// Reads nodes from the arrays of `source-tree.ts`.

import { CELL, FLOW, KINDS, MERGE, type NodeKind, type SourceTree } from './source-tree.ts'

export type NodeIndex = number

export interface Pair {
  readonly key: NodeIndex | undefined
  readonly value: NodeIndex | undefined
}

export class TreeReader {
  #treeOf: (() => SourceTree | undefined) | undefined
  #tree: SourceTree | undefined

  constructor(tree: (() => SourceTree | undefined) | undefined) {
    this.#treeOf = tree
  }

  #nodes(): SourceTree | undefined {
    this.#tree ??= this.#treeOf?.()
    // Frees the parser's own nodes, which the function may hold and which are much larger.
    this.#treeOf = undefined
    return this.#tree
  }

  root(): NodeIndex | undefined {
    const cells = this.#nodes()?.cells
    return cells === undefined || cells.length === 0 ? undefined : 0
  }

  #cell(node: NodeIndex | undefined, at: number): number {
    return node === undefined ? -1 : (this.#nodes()?.cells[node * CELL + at] ?? -1)
  }

  kind(node: NodeIndex | undefined): NodeKind | undefined {
    return KINDS[this.#cell(node, 0)]
  }

  isScalar(node: NodeIndex | undefined): node is NodeIndex {
    const kind = this.kind(node)
    return kind === 'text' || kind === 'number' || kind === 'constant'
  }

  isMergeKey(node: NodeIndex | undefined): boolean {
    return this.kind(node) === 'text' && (this.#cell(node, 5) & MERGE) !== 0
  }

  getRange(node: NodeIndex | undefined): readonly [start: number, end: number] | undefined {
    const start = this.#cell(node, 1)
    return start < 0 ? undefined : [start, this.#cell(node, 2)]
  }

  getText(node: NodeIndex | undefined): string {
    const start = this.#cell(node, 3)
    return this.#nodes()?.texts.slice(start, start + this.#cell(node, 4)) ?? ''
  }

  items(sequence: NodeIndex | undefined): readonly (NodeIndex | undefined)[] {
    const first = this.#cell(sequence, 3)
    const links = this.#nodes()?.links.subarray(first, first + this.#cell(sequence, 4))
    return Array.from(links ?? [], asNode)
  }

  allPairs(map: NodeIndex): readonly Pair[] {
    const first = this.#cell(map, 3)
    const links = this.#nodes()?.links ?? new Int32Array()
    return Array.from({ length: this.#cell(map, 4) }, (_, at) => ({
      key: asNode(links[first + at * 2] ?? -1),
      value: asNode(links[first + at * 2 + 1] ?? -1),
    }))
  }

  resolve(node: NodeIndex | undefined): NodeIndex | undefined {
    return this.kind(node) === 'alias' ? asNode(this.#cell(node, 3)) : node
  }

  item(sequence: NodeIndex | undefined, at: number): NodeIndex | undefined {
    if (at < 0 || at >= this.#cell(sequence, 4)) return undefined
    return asNode(this.#nodes()?.links[this.#cell(sequence, 3) + at] ?? -1)
  }

  isFlow(node: NodeIndex | undefined): boolean {
    return node !== undefined && (this.#cell(node, 5) & FLOW) !== 0
  }
}

function asNode(index: number): NodeIndex | undefined {
  return index < 0 ? undefined : index
}
