// The named caches of this process, of all apps that are still in memory, so that operators can be told how full
// they are.

export type CacheName =
  | 'answers'
  | 'queries'
  | 'reads'
  | 'totals'
  | 'writes'
  | 'documents'
  | 'fields'
  | 'compiled'
  | 'persisted'
  | 'statements'

/** How often a cache of that name was asked, since the process began. */
export interface CacheTally {
  hits: number
  misses: number
}

interface ListedCache {
  readonly size: number
  readonly weight: number
  readonly budget: number
}

/** The caches of one name, taken together; `weight` and `budget` in bytes. */
export interface CacheUse extends ListedCache, Readonly<CacheTally> {
  readonly name: CacheName
}

const listed = new Map<CacheName, { readonly tally: CacheTally; caches: WeakRef<ListedCache>[] }>()

/** Returns where the cache counts how often it is asked. */
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
