// Bounds big integers to 64 bits, their type in all supported databases.

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

export function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64
}

export const int64Bounds = `between ${MIN_INT64} and ${MAX_INT64}`
