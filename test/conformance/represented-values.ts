// Values that are recorded in another form than ours, by a ruling: a big integer was rounded to the nearest double, a
// timestamp was answered as the text of its epoch milliseconds. Ours must still be the same value.

/** A role of the file has the moment at which it was first seen; there it had that of its row. */
export function isRoleMoment(path: string, recorded: unknown, ours: unknown): boolean {
  const isPlace = /\.(?:role|roles\[\d+\])\.(?:createdAt|updatedAt|publishedAt)$/.test(path)
  return isPlace && [recorded, ours].every((value) => typeof value === 'string' && MOMENT.test(value))
}

const DIGITS = /^-?\d+$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const LARGEST_EXACT = Number.MAX_SAFE_INTEGER

export function isSameValue(recorded: unknown, ours: unknown): boolean {
  if (typeof recorded !== 'string' || typeof ours !== 'string' || !DIGITS.test(recorded)) return false
  if (MOMENT.test(ours)) return Date.parse(ours) === Number(recorded)
  return DIGITS.test(ours) && Math.abs(Number(ours)) > LARGEST_EXACT && Number(recorded) === Number(ours)
}
