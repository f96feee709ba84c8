// Checks whether an unknown value is an object with keys, and not a list or null.

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object without keys for any other value. */
export function buildRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}
