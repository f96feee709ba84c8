// Documents by their text or hash: bounded by their number and by what they weigh together, so that documents made to
// differ cannot fill the memory. One that is used stays, the one used longest ago goes.

export interface DocumentCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T, weight: number): void
  readonly size: number
}

export interface CacheBounds {
  readonly documents: number
  /** Of all together. */
  readonly weight: number
}

export function createDocumentCache<T>(bounds: CacheBounds): DocumentCache<T> {
  const entries = new Map<string, { readonly value: T; readonly weight: number }>()
  let held = 0

  function drop(key: string): void {
    held -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }

  return {
    get size() {
      return entries.size
    },
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight) {
      drop(key)
      if (weight > bounds.weight) return
      entries.set(key, { value, weight })
      held += weight
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.documents && held <= bounds.weight) break
        drop(oldest)
      }
    },
  }
}
