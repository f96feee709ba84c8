// Limits the size and depth of a recording, because it is in memory until it is written and is walked by
// recursion.

export interface RecordingBudget {
  take(value: unknown): boolean
}

/** Characters of texts, numbers, names and brackets. */
const MAX_CHARACTERS = 64 * 1024 * 1024
const MAX_LEVELS = 50

export function createRecordingBudget(): RecordingBudget {
  let left = MAX_CHARACTERS
  return {
    take(value) {
      const size = sizeWithin(value, MAX_LEVELS, left)
      if (size > left) return false
      left -= size
      return true
    },
  }
}

/** Infinity for a value that is too deep; stops above `limit`. */
function sizeWithin(value: unknown, levels: number, limit: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  if (levels === 0) return Number.POSITIVE_INFINITY
  let size = 2
  for (const [name, one] of Object.entries(value)) {
    size += (Array.isArray(value) ? 1 : name.length + 4) + sizeWithin(one, levels - 1, limit - size)
    if (size > limit) break
  }
  return size
}
