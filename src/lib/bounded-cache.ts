// A cache with a limit for the total weight of its values, which drops those unused for the longest time. Values whose
// keys clients can choose are offered, and kept only when offered again, so that one-time requests do not fill it.

import { LRUCache } from 'lru-cache'
import { type CacheName, type CacheTally, enlist } from './cache-list.ts'

interface CacheOptions<V> {
  /** The limit for the total weight, in the unit of `set` and `offer`: bytes, or 1 for each value. */
  readonly budget: number
  /** Under which its use is shown to operators. */
  readonly name?: CacheName
  /** Called with each value that is dropped. */
  dispose?(value: V, key: string): void
}

/** The largest part of the budget that one value may take. */
const MAX_SHARE = 1 / 4

export class BoundedCache<V extends object | number> {
  readonly #values: LRUCache<string, V>
  readonly #offered = new RecentKeys()
  readonly #tally: CacheTally
  /** The limit for the total weight. */
  readonly budget: number

  constructor({ budget, name, dispose }: CacheOptions<V>) {
    this.budget = budget
    this.#tally = enlist(this, name)
    this.#values = new LRUCache<string, V>({
      maxSize: budget,
      maxEntrySize: Math.max(1, Math.floor(budget * MAX_SHARE)),
      ...(dispose === undefined ? {} : { dispose }),
    })
  }

  get size(): number {
    return this.#values.size
  }

  /** The total weight of all values. */
  get weight(): number {
    return this.#values.calculatedSize
  }

  get(key: string): V | undefined {
    const found = this.#values.get(key)
    if (found === undefined) this.#tally.misses += 1
    else this.#tally.hits += 1
    return found
  }

  /** Stores the value, and returns true, unless it is too heavy. */
  set(key: string, value: V, weight = 1): boolean {
    this.#values.set(key, value, { size: Math.max(1, Math.ceil(weight)) })
    return this.#values.has(key)
  }

  /** Every key with its value, the one used longest ago first. */
  entries(): readonly (readonly [string, V])[] {
    return [...(this.#values.rentries() as Generator<[string, V]>)]
  }

  /** Stores the value if a value was offered under this key recently; returns whether it is stored. */
  offer(key: string, value: V, weight = 1): boolean {
    return this.meet(key) && this.set(key, value, weight)
  }

  /** Records that a value for this key is wanted; returns whether one was wanted recently. */
  meet(key: string): boolean {
    return this.#offered.meet(key)
  }

  clear(): void {
    this.#values.clear()
  }
}

/**
 * Hashes of recently seen keys, in pairs of places that a hash chooses: the older one of a pair is forgotten. Two keys with the
 * same hash count as one, which wastes an entry of a cache at most.
 */
export class RecentKeys {
  #hashes: Uint32Array | undefined

  /** Records the key, and returns whether it was seen before. */
  meet(key: string): boolean {
    this.#hashes ??= new Uint32Array(REMEMBERED)
    const hashes = this.#hashes
    const hash = computeHash(key)
    const at = (hash % (REMEMBERED / 2)) * 2
    const newest = hashes[at]
    if (newest === hash || hashes[at + 1] === hash) return true
    hashes[at + 1] = newest ?? 0
    hashes[at] = hash
    return false
  }
}

const REMEMBERED = 32_768

/** FNV-1a over UTF-16 units, 32 bits. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // 0 stands for no key.
  return hash >>> 0 || 1
}
