// 64-bit integers, the type of big integers in all supported databases.

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

export function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64
}

/** `between -9223372036854775808 and 9223372036854775807`, for messages. */
export const int64Bounds = `between ${MIN_INT64} and ${MAX_INT64}`
