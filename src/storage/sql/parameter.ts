// The parameters of a compiled statement: which value of the query each placeholder gets, and how the value is encoded
// for the database.

import { InvariantError } from '../../lib/errors/invariant.ts'
import type { PlanValue, Slot } from '../../plan/read-plan.ts'
import type { SqlValue } from './statement.ts'

/** The slot of the parents' ids, as one list, when a populated field is read. */
export const PARENTS = -1
/** The slot of the row limit of a populated field. */
export const ROW_LIMIT = -2
/** The slot of a constant in the expression of a computed attribute. */
export const CONSTANT = -3

export interface BoundValue {
  readonly slot: Slot | typeof PARENTS | typeof ROW_LIMIT | typeof CONSTANT
  encode(value: PlanValue): SqlValue
}

export function bound(slot: Slot | undefined, encode: (value: PlanValue) => SqlValue): BoundValue {
  if (slot === undefined) throw new InvariantError('an operator lacks its value')
  return { slot, encode }
}

export function bindValues(
  parameters: readonly BoundValue[],
  values: readonly PlanValue[],
  parents: readonly number[],
  mostRows = Number.MAX_SAFE_INTEGER,
): readonly SqlValue[] {
  const encoded: SqlValue[] = new Array(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index]
    if (parameter === undefined) continue
    const { slot } = parameter
    const value =
      slot === PARENTS ? parents : slot === ROW_LIMIT ? mostRows : slot === CONSTANT ? null : values[slot]
    if (value === undefined) throw new InvariantError(`no value for slot ${slot}`)
    encoded[index] = parameter.encode(value)
  }
  return encoded
}
