// A part of a text that YAML read -> where it was written: quotes, escapes, folds and indentation lie between.

/**
 * Finds the characters [start, end) of `value` again in `written`, the text as it stands in the file, by walking both:
 * what only the file has is passed over. Undefined where the two are too different (variables, escapes).
 */
export function partOfScalar(
  written: string,
  value: string,
  [start, end]: readonly [start: number, end: number],
): readonly [start: number, end: number] | undefined {
  const places: number[] = []
  let at = 0
  for (const character of value) {
    let found = at
    // Blanks are folded and escaped: one of the value may be several of the file, or a line break.
    if (/\s/.test(character)) {
      while (found < written.length && !/\s/.test(written[found] ?? '')) found++
    } else {
      found = written.indexOf(character, at)
      if (found < 0) return undefined
    }
    if (found - at > LONGEST_GAP) return undefined
    for (let unit = 0; unit < character.length; unit++) places.push(found + unit)
    at = Math.min(found + character.length, written.length)
  }
  places.push(at)
  const from = places[start]
  const last = places[Math.max(start, end - 1)]
  return from === undefined || last === undefined
    ? undefined
    : [from, Math.max(from, last + (end > start ? 1 : 0))]
}

/** Indentation and an escape sequence; more than that is something else. */
const LONGEST_GAP = 400
