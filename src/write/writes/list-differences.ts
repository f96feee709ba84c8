// Finds the fewest changes between two ordered lists, because a list may have many thousands of items.

interface ListDifferences<K> {
  readonly removed: readonly K[]
  readonly added: ReadonlyMap<K, number>
  /** Stored items with another order. */
  readonly moved: ReadonlyMap<K, number>
}

/** `before`: stored orders. `placedAnew`: items that always get a new order. */
export function differences<K>(
  before: ReadonlyMap<K, number>,
  after: readonly K[],
  placedAnew: ReadonlySet<K>,
): ListDifferences<K> {
  const kept = new Set(after)
  const removed = [...before.keys()].filter((member) => !kept.has(member))
  const added = new Map<K, number>()
  const moved = new Map<K, number>()
  // Stored orders stay while they rise; items before the first kept one get orders below it.
  const holds = (member: K): boolean => before.has(member) && !placedAnew.has(member)
  const first = after.findIndex(holds)
  let last = first > 0 ? (before.get(after[first] as K) ?? 0) - first - 1 : 0
  for (const member of after) {
    const stored = before.get(member)
    const order = stored !== undefined && stored > last && holds(member) ? stored : last + 1
    last = order
    if (stored === undefined) added.set(member, order)
    else if (stored !== order) moved.set(member, order)
  }
  return { removed, added, moved }
}
