// Lists the named caches of all apps in this process for operators.

export type CacheName =
  | 'answers'
  | 'queries'
  | 'reads'
  | 'aggregates'
  | 'totals'
  | 'writes'
  | 'documents'
  | 'fields'
  | 'compiled'
  | 'persisted'
  | 'statements'

export interface CacheTally {
  hits: number
  misses: number
}

interface ListedCache {
  readonly size: number
  readonly weight: number
  readonly budget: number
}

/** `weight` and `budget` in bytes. */
export interface CacheUse extends ListedCache, Readonly<CacheTally> {
  readonly name: CacheName
}

const listed = new Map<CacheName, { readonly tally: CacheTally; caches: WeakRef<ListedCache>[] }>()

/** The cache has to update the returned counters. */
export function enlist(cache: ListedCache, name: CacheName | undefined): CacheTally {
  if (name === undefined) return { hits: 0, misses: 0 }
  const entry = listed.get(name) ?? { tally: { hits: 0, misses: 0 }, caches: [] }
  listed.set(name, entry)
  entry.caches = [...entry.caches.filter((one) => one.deref() !== undefined), new WeakRef(cache)]
  return entry.tally
}

export function cacheUses(): readonly CacheUse[] {
  return [...listed].map(([name, { tally, caches }]) => {
    const alive = caches.flatMap((one) => one.deref() ?? [])
    const sum = (of: (cache: ListedCache) => number): number =>
      alive.reduce((total, one) => total + of(one), 0)
    return {
      name,
      ...tally,
      size: sum(({ size }) => size),
      weight: sum(({ weight }) => weight),
      budget: sum(({ budget }) => budget),
    }
  })
}
