// Finds the valid name nearest to a mistyped one.

/** Counts inserts, deletes, replacements and swaps of neighbours, at most `limit + 1`. */
export function measureDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(value)
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length] ?? limit + 1
}

/** Ignores case; longer words may have more edits. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, 100)
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)))
  let nearest: string | undefined
  let nearestDistance = limit + 1
  for (const candidate of candidates) {
    const d = measureDistance(wanted, candidate.toLowerCase(), nearestDistance - 1)
    if (d < nearestDistance) {
      nearest = candidate
      nearestDistance = d
    }
  }
  return nearest
}
