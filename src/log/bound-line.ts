// Cuts a line of the log that is too long: errors hold statements, and names and values that clients sent.

/** Characters of a line that is written as it is. */
const MAX_LINE_LENGTH = 32_000
/** Characters of each text of a line that is cut, and elements of each list and object; a tenth while that is not enough. */
const MAX_TEXT_LENGTH = 4000
/** A line has few keys of its own, and its errors and lists hold no deep trees. */
const MIN_TEXT_LENGTH = 4

/** `line`: an object as JSON. Returns one of bounded length. */
export function boundLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line
  const whole: unknown = JSON.parse(line)
  let bounded = line
  for (let most = MAX_TEXT_LENGTH; bounded.length > MAX_LINE_LENGTH && most >= MIN_TEXT_LENGTH; most /= 10)
    bounded = `${JSON.stringify(whole, (_key, value: unknown) => boundValue(value, most))}\n`
  return bounded
}

function boundValue(value: unknown, most: number): unknown {
  if (typeof value === 'string')
    return value.length > most ? `${value.slice(0, most)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return value.slice(0, most)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).slice(0, most))
}
