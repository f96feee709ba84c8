// 64-bit integers, the type of big integers in all supported databases.

const LEAST = -(2n ** 63n)
const LARGEST = 2n ** 63n - 1n

export function isInt64(value: bigint): boolean {
  return value >= LEAST && value <= LARGEST
}

/** `between -9223372036854775808 and 9223372036854775807`, for messages. */
export const int64Bounds = `between ${LEAST} and ${LARGEST}`
