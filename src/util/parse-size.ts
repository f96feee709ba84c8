// `200kb`, `1mb`, or a number of bytes -> bytes. A kilobyte has 1024 bytes, as in Strapi's limits.

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** Undefined for what is no size. */
export function parseSize(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  const match = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/.exec(value.trim())
  if (match === null) return undefined
  return Math.round(Number(match[1]) * (units[match[2] ?? ''] ?? 0))
}
