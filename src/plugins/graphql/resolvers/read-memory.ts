// Caches planned reads of repeated documents by permissions and arguments.

import { type ASTNode, type FieldNode, visit } from 'graphql'
import type { Permissions } from '../../../access/principal.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { buildExactKey, getObjectId } from '../../../lib/exact-key.ts'
import type { FieldPlace } from '../selection/collect-fields.ts'

/** In characters; longer argument lists are planned every time. */
const MAX_ARGUMENTS_LENGTH = 2000

interface ReadMemory<T> {
  of(permissions: Permissions, args: Readonly<Record<string, unknown>>, place: FieldPlace, make: () => T): T
}

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
      // The merged nodes of one field may differ between requests, so they are not cached.
      const asked =
        node === undefined || place.fieldNodes.length > 1 ? undefined : buildKey(args, place, node)
      if (node === undefined || asked === undefined) return make()
      const key = `${memory} ${getObjectId(node)} ${getObjectId(permissions)} ${asked}`
      // Keys contain the memory's number, so the value has this memory's type.
      const before = cache.get(key) as T | undefined
      if (before !== undefined) return before
      const made = make()
      cache.offer(key, made, 2 * key.length + weigh(made))
      return made
    },
  }
}

/** Undefined if the key is too long, or if values of users' scalars have no exact text form. */
function buildKey(
  args: Readonly<Record<string, unknown>>,
  { variableValues, fragments }: FieldPlace,
  node: FieldNode,
): string | undefined {
  // An omitted variable and a null variable mean different things.
  const nested = variablesBelow(node, fragments).map((name) =>
    Object.hasOwn(variableValues, name) ? variableValues[name] : undefined,
  )
  return buildExactKey([args, nested], MAX_ARGUMENTS_LENGTH)
}

const names = new WeakMap<FieldNode, readonly string[]>()

/** The field's own arguments are in the key as values. */
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
