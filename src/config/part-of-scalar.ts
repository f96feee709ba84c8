// Maps a part of a text that YAML read to its range in the file, across quotes, escapes, folds and indentation.

/**
 * Finds the characters [start, end) of `value` in `written`, the text as it is in the file, by walking both and
 * skipping characters that only the file has. Returns undefined when the texts differ too much (variables, escapes).
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
    // White space may be folded or escaped: a space of the value may be a line break or several spaces in the file.
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

/** Characters to skip at most: enough for indentation and an escape sequence. */
const LONGEST_GAP = 400
