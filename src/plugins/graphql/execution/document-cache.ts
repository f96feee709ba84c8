// Documents that passed the gate, by their text: bounded by their number and by what they weigh together, so that
// documents made to differ cannot fill the memory. One that is used stays, the one used longest ago goes.

export interface DocumentCache<T> {
  get(text: string): T | undefined
  set(text: string, value: T): void
  readonly size: number
}

export interface CacheBounds {
  readonly documents: number
  /** Characters of all texts: a parsed document takes about a hundred times as many bytes. */
  readonly characters: number
}

export function createDocumentCache<T>({ documents, characters }: CacheBounds): DocumentCache<T> {
  const entries = new Map<string, T>()
  let held = 0

  function dropOldest(): void {
    for (const [text] of entries) {
      entries.delete(text)
      held -= text.length
      return
    }
  }

  return {
    get size() {
      return entries.size
    },
    get(text) {
      const value = entries.get(text)
      if (value === undefined) return undefined
      entries.delete(text)
      entries.set(text, value)
      return value
    },
    set(text, value) {
      if (entries.delete(text)) held -= text.length
      entries.set(text, value)
      held += text.length
      while (entries.size > documents || (held > characters && entries.size > 1)) dropOldest()
    },
  }
}
