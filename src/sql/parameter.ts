// The parameters of a compiled statement: which value of the question stands at which placeholder, and how it is
// written for the database.

import { InvariantError } from '../errors/invariant.ts'
import type { PlanValue, Slot } from '../plan/read-plan.ts'
import type { SqlValue } from './statement.ts'

/** Filled with the parents' ids, as one list, when a populated level is read. */
export const PARENTS = -1
/** Filled with how many rows of a populated level are read at most. */
export const MOST_ROWS = -2

export interface Bound {
  readonly slot: Slot | typeof PARENTS | typeof MOST_ROWS
  encode(value: PlanValue): SqlValue
}

export function bound(slot: Slot | undefined, encode: (value: PlanValue) => SqlValue): Bound {
  if (slot === undefined) throw new InvariantError('an operator lacks its value')
  return { slot, encode }
}

/** The values of a statement's placeholders, in order. */
export function bindValues(
  parameters: readonly Bound[],
  values: readonly PlanValue[],
  parents: readonly number[],
  mostRows = Number.MAX_SAFE_INTEGER,
): readonly SqlValue[] {
  const encoded: SqlValue[] = new Array(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index]
    if (parameter === undefined) continue
    const { slot } = parameter
    const value = slot === PARENTS ? parents : slot === MOST_ROWS ? mostRows : values[slot]
    if (value === undefined) throw new InvariantError(`no value for slot ${slot}`)
    encoded[index] = parameter.encode(value)
  }
  return encoded
}
