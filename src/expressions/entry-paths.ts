// Lists the values of an entry that an expression reads.

import { type Expression, listParts } from './expression.ts'

type Names = readonly string[]

export function listEntryPaths(
  node: Expression,
  elements: ReadonlyMap<string, Names | undefined> = new Map(),
): readonly Names[] {
  if (node.kind === 'path') {
    const { root, names } = node
    const start = root.kind === 'entry' ? [] : root.kind === 'element' ? elements.get(root.name) : undefined
    return start === undefined ? [] : [[...start, ...names]]
  }
  if (node.kind === 'exists') {
    const lists = listEntryPaths(node.list, elements)
    return [...lists, ...listEntryPaths(node.body, new Map([...elements, [node.variable, lists[0]]]))]
  }
  return listParts(node).flatMap((part) => listEntryPaths(part, elements))
}
