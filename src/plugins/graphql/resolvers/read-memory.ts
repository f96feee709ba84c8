// Caches the reads of repeated documents, by permissions and arguments: planned once, run again.

import { type ASTNode, type FieldNode, visit } from 'graphql'
import type { Permissions } from '../../../access/principal.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { exactKey, objectId } from '../../../lib/exact-key.ts'
import type { FieldPlace } from '../selection/collect-fields.ts'

/** Longer argument lists are planned every time. */
const MAX_ARGUMENTS_LENGTH = 2000

interface ReadMemory<T> {
  of(permissions: Permissions, args: Readonly<Record<string, unknown>>, place: FieldPlace, make: () => T): T
}

/** The cache shared by the fields of all documents. */
export type FieldCache = BoundedCache<object>

export function createFieldCache(): FieldCache {
  return new BoundedCache({ name: 'fields', budget: cacheBudgets.fields })
}

let memories = 0

/** `weigh` returns bytes. */
export function createReadMemory<T extends object>(
  cache: FieldCache,
  weigh: (made: T) => number,
): ReadMemory<T> {
  memories += 1
  const memory = memories
  return {
    of(permissions, args, place, make) {
      const [node] = place.fieldNodes
      // Several nodes of one field are merged, and which ones there are may differ between requests.
      const asked =
        node === undefined || place.fieldNodes.length > 1 ? undefined : buildKey(args, place, node)
      if (node === undefined || asked === undefined) return make()
      const key = `${memory} ${objectId(node)} ${objectId(permissions)} ${asked}`
      // Memories never share keys, so the value has this memory's type.
      const before = cache.get(key) as T | undefined
      if (before !== undefined) return before
      const made = make()
      cache.offer(key, made, 2 * key.length + weigh(made))
      return made
    },
  }
}

/** Undefined if the key is too long to be worth it, or if values of users' scalars cannot be told apart as text. */
function buildKey(
  args: Readonly<Record<string, unknown>>,
  { variableValues, fragments }: FieldPlace,
  node: FieldNode,
): string | undefined {
  // A variable that was left out has no value here; one that is null has null, which means something else.
  const nested = variablesBelow(node, fragments).map((name) =>
    Object.hasOwn(variableValues, name) ? variableValues[name] : undefined,
  )
  return exactKey([args, nested], MAX_ARGUMENTS_LENGTH)
}

const names = new WeakMap<FieldNode, readonly string[]>()

/** The variables used anywhere below a field; its own arguments are in the key as values. */
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
