// Writes a query like `qs.stringify(query, { encodeValuesOnly: true })`.

/** Omits undefined values, empty lists and empty objects; null becomes an empty text. */
export function queryText(query: object): string {
  return Object.entries(query)
    .flatMap(([key, value]) => parts(key, value))
    .join('&')
}

function parts(key: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (value instanceof Date) return [`${key}=${encoded(value.toISOString())}`]
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => parts(`${key}[${name}]`, inner))
  return [`${key}=${value === null ? '' : encoded(String(value))}`]
}

function encoded(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
