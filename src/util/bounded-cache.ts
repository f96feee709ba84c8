// Values by their keys, bounded by what they weigh together: those unused longest leave. What clients can make at will is
// offered, and kept only when it is offered again: a question that is asked once fills nothing.

import { LRUCache } from 'lru-cache'

export interface CacheOptions<V> {
  /** What all values may weigh together, in the unit of `set` and `offer`: bytes, or 1 for each value. */
  readonly budget: number
  /** Told of each value that leaves. */
  dispose?(value: V, key: string): void
}

/** One value may take no more than this part of the budget. */
const LARGEST_PART = 1 / 4

export class BoundedCache<V extends object | number> {
  readonly #values: LRUCache<string, V>
  readonly #offered = new RecentKeys()

  constructor({ budget, dispose }: CacheOptions<V>) {
    this.#values = new LRUCache<string, V>({
      maxSize: budget,
      maxEntrySize: Math.max(1, Math.floor(budget * LARGEST_PART)),
      ...(dispose === undefined ? {} : { dispose }),
    })
  }

  get size(): number {
    return this.#values.size
  }

  /** What all values weigh together. */
  get weight(): number {
    return this.#values.calculatedSize
  }

  get(key: string): V | undefined {
    return this.#values.get(key)
  }

  /** Whether it is kept: what weighs too much is not. */
  set(key: string, value: V, weight = 1): boolean {
    this.#values.set(key, value, { size: Math.max(1, Math.ceil(weight)) })
    return this.#values.has(key)
  }

  /** Keeps the value if something was offered under this key lately; answers whether it does. */
  offer(key: string, value: V, weight = 1): boolean {
    return this.#offered.meet(key) && this.set(key, value, weight)
  }

  clear(): void {
    this.#values.clear()
  }
}

/** Hashes of keys that were met lately: two keys of one hash count as one, which costs a place in the cache at most. */
export class RecentKeys {
  #recent = new Set<number>()
  #before = new Set<number>()

  /** Whether the key was met before. */
  meet(key: string): boolean {
    const hash = hashOf(key)
    if (this.#recent.has(hash) || this.#before.has(hash)) return true
    if (this.#recent.size >= REMEMBERED) {
      this.#before = this.#recent
      this.#recent = new Set()
    }
    this.#recent.add(hash)
    return false
  }
}

const REMEMBERED = 4096

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
