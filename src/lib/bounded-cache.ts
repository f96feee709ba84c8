// Caches values up to a total weight, least recently used dropped first. Values under keys that clients
// choose must be offered twice, so that one-time requests do not fill the cache.

import { LRUCache } from 'lru-cache'
import { type CacheName, type CacheTally, enlist } from './cache-list.ts'

interface CacheOptions<V> {
  /** Bytes, or 1 for each value. */
  readonly budget: number
  /** Shown to operators with the cache's use. */
  readonly name?: CacheName
  dispose?(value: V, key: string): void
}

/** One value may take this part of the budget. */
const MAX_SHARE = 1 / 4

export class BoundedCache<V extends object | number> {
  readonly #values: LRUCache<string, V>
  readonly #offered = new RecentKeys()
  readonly #tally: CacheTally
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

  get weight(): number {
    return this.#values.calculatedSize
  }

  get(key: string): V | undefined {
    const found = this.#values.get(key)
    if (found === undefined) this.#tally.misses += 1
    else this.#tally.hits += 1
    return found
  }

  /** False when the value is too heavy. */
  set(key: string, value: V, weight = 1): boolean {
    this.#values.set(key, value, { size: Math.max(1, Math.ceil(weight)) })
    return this.#values.has(key)
  }

  /** Least recently used first. */
  entries(): readonly (readonly [string, V])[] {
    return [...(this.#values.rentries() as Generator<[string, V]>)]
  }

  /** Stores the value only if one was offered under this key recently. */
  offer(key: string, value: V, weight = 1): boolean {
    return this.meet(key) && this.set(key, value, weight)
  }

  meet(key: string): boolean {
    return this.#offered.meet(key)
  }

  clear(): void {
    this.#values.clear()
  }
}

/**
 * Hashes of recent keys, in pairs of slots: a new key replaces the older one of its pair. Keys with the same
 * hash count as one, which wastes at most an entry of a cache.
 */
export class RecentKeys {
  #hashes: Uint32Array | undefined

  /** Returns whether the key was seen before. */
  meet(key: string): boolean {
    this.#hashes ??= new Uint32Array(MAX_RECENT_KEYS)
    const hashes = this.#hashes
    const hash = computeHash(key)
    const at = (hash % (MAX_RECENT_KEYS / 2)) * 2
    const newest = hashes[at]
    if (newest === hash || hashes[at + 1] === hash) return true
    hashes[at + 1] = newest ?? 0
    hashes[at] = hash
    return false
  }
}

const MAX_RECENT_KEYS = 32_768

/** FNV-1a over UTF-16 units. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // 0 marks an empty slot.
  return hash >>> 0 || 1
}
