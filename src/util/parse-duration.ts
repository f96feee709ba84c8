// `30s`, `5min`, `30d`, or a number of milliseconds -> milliseconds.

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Undefined for what is no duration. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d|w)$/.exec(value.trim())
  if (match === null) return undefined
  return Math.round(Number(match[1]) * (units[match[2] ?? ''] ?? 0))
}
