// Reads that a document asked for before, by who asks and with which arguments: planned once, run again.

import { type ASTNode, type FieldNode, visit } from 'graphql'
import type { Permissions } from '../../../auth/principal.ts'
import { exactKey } from '../../../util/exact-key.ts'
import { LruMap } from '../../../util/lru-map.ts'
import type { FieldPlace } from '../selection/field-place.ts'

/** Of one field of one document. */
const MOST = 20
/** Longer argument lists are planned every time. */
const LONGEST = 2000

export interface ReadMemory<T> {
  of(permissions: Permissions, args: Readonly<Record<string, unknown>>, place: FieldPlace, make: () => T): T
}

export function createReadMemory<T>(): ReadMemory<T> {
  const byNode = new WeakMap<FieldNode, WeakMap<Permissions, LruMap<string, T>>>()
  return {
    of(permissions, args, place, make) {
      const [node] = place.fieldNodes
      // A field that stands in several places is selected by all of them together, which may differ by request.
      const key = node === undefined || place.fieldNodes.length > 1 ? undefined : keyOf(args, place, node)
      if (node === undefined || key === undefined) return make()
      const known = kept(byNode, node, permissions)
      const before = known.get(key)
      if (before !== undefined) return before
      const made = make()
      known.set(key, made)
      return made
    },
  }
}

function kept<T>(
  byNode: WeakMap<FieldNode, WeakMap<Permissions, LruMap<string, T>>>,
  node: FieldNode,
  permissions: Permissions,
): LruMap<string, T> {
  const byPermissions = byNode.get(node) ?? new WeakMap<Permissions, LruMap<string, T>>()
  byNode.set(node, byPermissions)
  const known = byPermissions.get(permissions) ?? new LruMap<string, T>(MOST)
  byPermissions.set(permissions, known)
  return known
}

/** Undefined: too long to be worth it, or made of values of users' scalars that no text can tell apart. */
function keyOf(
  args: Readonly<Record<string, unknown>>,
  { variableValues, fragments }: FieldPlace,
  node: FieldNode,
): string | undefined {
  // A variable that is left out has no value here; one that is null has null, which is something else.
  const nested = variablesBelow(node, fragments).map((name) =>
    Object.hasOwn(variableValues, name) ? variableValues[name] : undefined,
  )
  return exactKey([args, nested], LONGEST)
}

const names = new WeakMap<FieldNode, readonly string[]>()

/** The variables used anywhere below a field; its own arguments are there as values. */
function variablesBelow(node: FieldNode, fragments: FieldPlace['fragments']): readonly string[] {
  const known = names.get(node)
  if (known !== undefined) return known
  const found = new Set<string>()
  const opened = new Set<string>()
  const look = (at: ASTNode): void => {
    visit(at, {
      Variable: ({ name }) => void found.add(name.value),
      FragmentSpread: ({ name: { value } }) => {
        const fragment = fragments[value]
        if (opened.has(value) || fragment === undefined) return
        opened.add(value)
        look(fragment)
      },
    })
  }
  if (node.selectionSet !== undefined) look(node.selectionSet)
  const list = [...found].sort()
  names.set(node, list)
  return list
}
