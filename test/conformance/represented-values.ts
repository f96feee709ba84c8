// Values that are recorded in another form than ours, by a ruling: a big integer was rounded to the nearest double, a
// timestamp was answered as the text of its epoch milliseconds. Ours must still be the same value.

const DIGITS = /^-?\d+$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const LARGEST_EXACT = Number.MAX_SAFE_INTEGER

export function isSameValue(recorded: unknown, ours: unknown): boolean {
  if (typeof recorded !== 'string' || typeof ours !== 'string' || !DIGITS.test(recorded)) return false
  if (MOMENT.test(ours)) return Date.parse(ours) === Number(recorded)
  return DIGITS.test(ours) && Math.abs(Number(ours)) > LARGEST_EXACT && Number(recorded) === Number(ours)
}
