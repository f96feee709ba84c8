// Formats a value as Strapi's messages show it, shortened: an indented list of a megabyte would be tens of
// megabytes.

const MAX_VALUES = 200
const MAX_CHARACTERS = 1000

export function formatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return shortened(asText(shortText(value)))
  if (countParts(value) > MAX_VALUES) {
    return Array.isArray(value)
      ? `a list of ${value.length} elements`
      : `an object of ${Object.keys(value).length} keys`
  }
  const text = JSON.stringify(
    value,
    (_, inner: unknown) => (typeof inner === 'object' && inner !== null ? inner : asText(shortText(inner))),
    2,
  )
  return shortened(text ?? '')
}

function asText(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** Shortens a text before it is escaped, because an escape takes up to six characters. */
function shortText(value: unknown): unknown {
  return typeof value === 'string' ? shortened(value) : value
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

function countParts(value: object): number {
  const waiting: object[] = [value]
  let count = 0
  for (const part of waiting) {
    for (const inner of Object.values(part)) {
      count += 1
      if (count > MAX_VALUES) return count
      if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
  }
  return count
}
