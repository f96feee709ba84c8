// Parses `30s`, `5min`, `200kb` or a plain number into milliseconds or bytes.

type Units = Readonly<Record<string, number>>

const DURATIONS: Units = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** A kilobyte has 1024 bytes, as in Strapi's limits. */
const SIZES: Units = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** Returns milliseconds. */
export function parseDuration(value: string | number): number | undefined {
  return inUnits(value, DURATIONS)
}

/** Returns bytes. */
export function parseSize(value: string | number): number | undefined {
  return inUnits(value, SIZES)
}

function inUnits(value: string | number, units: Units): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(value.trim()) ?? []
  return Object.hasOwn(units, unit) ? Math.round(Number(amount) * (units[unit] ?? 0)) : undefined
}
