// Finds the names of private attributes in a text, so that reports do not show their values under `data`.

import type { NodeIndex, TreeReader } from './tree-reader.ts'

/** Syntactic, because a faulty text has no model; an attribute of another content-type with the same name counts, too. */
export function listPrivateNames(tree: TreeReader): ReadonlySet<string> {
  const names = new Set<string>()
  const renamed: [name: string, from: string][] = []
  const visit = (node: NodeIndex | undefined, depth: number): void => {
    const kind = tree.kind(node)
    if (node === undefined) return
    if (kind === 'sequence') for (const item of tree.items(node)) visit(item, depth + 1)
    if (kind !== 'map') return
    for (const { key, value } of tree.allPairs(node)) {
      const name = tree.isScalar(key) ? tree.getText(key) : ''
      if (depth === 0 && name === 'data') continue
      const inner = tree.resolve(value)
      if (tree.isScalar(inner)) {
        if (isPassword(tree.getText(inner))) names.add(name)
        continue
      }
      const options = inner !== undefined && tree.kind(inner) === 'map' ? readOptions(tree, inner) : undefined
      if (options?.private === 'true' || isPassword(options?.type)) names.add(name)
      if (options?.renamedFrom !== undefined) renamed.push([name, options.renamedFrom])
      // An alias is visited at the place of its anchor: followed, it could lead in a circle.
      visit(value, depth + 1)
    }
  }
  visit(tree.resolve(tree.root()), 0)
  for (const [name, from] of renamed) if (names.has(from)) names.add(name)
  return names
}

function isPassword(type: string | undefined): boolean {
  return type === 'password' || type === 'password!'
}

interface Options {
  readonly private?: string
  readonly type?: string
  readonly renamedFrom?: string
}

function readOptions(tree: TreeReader, map: NodeIndex): Options {
  const pairs = tree.allPairs(map).flatMap(({ key, value }) => {
    const inner = tree.resolve(value)
    return tree.isScalar(key) && tree.isScalar(inner) ? [[tree.getText(key), tree.getText(inner)]] : []
  })
  return Object.fromEntries(pairs) as Options
}
