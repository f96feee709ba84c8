// A map that forgets the entry that was used longest ago when it is full.

export class LruMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** Returns the value that had to leave, if one had to. */
  set(key: K, value: V): V | undefined {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#capacity) return undefined
    const oldest = this.#entries.keys().next()
    if (oldest.done) return undefined
    const leaving = this.#entries.get(oldest.value)
    this.#entries.delete(oldest.value)
    return leaving
  }

  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  clear(): void {
    this.#entries.clear()
  }
}
