/** A response without the envelopes `{ data: { id, attributes } }` of Strapi 4. */
export function flattenEnvelopes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flattenEnvelopes)
  if (typeof value !== 'object' || value === null) return value
  const { data, attributes, ...others } = value as Record<string, unknown>
  if (data !== undefined) return flattenEnvelopes(data)
  return Object.fromEntries(
    Object.entries({ ...others, ...(attributes as object | undefined) }).map(([name, one]) => [
      name,
      flattenEnvelopes(one),
    ]),
  )
}
