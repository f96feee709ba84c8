// What integer, float and decimal have in common.

import type { AttributeType, Checked, Constraints } from './attribute-type.ts'
import { bad, invalidValue } from './faults.ts'
import { shownValue } from './shown-value.ts'

/** A number, also as text or as the only element of a list, within the bounds. `refused`: what else is wrong with it. */
export function checkNumber(
  { min, max }: Constraints,
  label: string,
  value: unknown,
  refused: (cast: number) => string | undefined = () => undefined,
): Checked {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const cast =
    typeof single === 'number' ? single : typeof single === 'string' ? fromText(single) : Number.NaN
  if (!Number.isFinite(cast)) {
    return bad(
      `${label} must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${shownValue(value)}\`).`,
    )
  }
  const faults: string[] = []
  const fault = refused(cast)
  if (fault !== undefined) faults.push(fault)
  if (min !== undefined && cast < Number(min)) faults.push(`${label} must be greater than or equal to ${min}`)
  if (max !== undefined && cast > Number(max)) faults.push(`${label} must be less than or equal to ${max}`)
  // -0 and 0 are one value; the sign would come back from the database.
  return { value: cast === 0 ? 0 : cast, faults }
}

function fromText(value: string): number {
  return value.trim() === '' ? Number.NaN : Number(value)
}

/** No stored number is infinite: such a value matches nothing. */
export const castNumber: AttributeType['cast'] = (value, name) => {
  const cast = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof cast !== 'number' || Number.isNaN(cast)) throw invalidValue(name, 'a number')
  return Number.isFinite(cast) ? cast : null
}
