// Groups items by a key, in the order in which the keys first appear; `Map.groupBy` is newer than Node 20.

export function groupBy<K, T>(
  items: Iterable<T>,
  getKey: (item: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = getKey(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
