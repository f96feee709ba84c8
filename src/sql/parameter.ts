// The parameters of a compiled statement: which value of the question stands at which placeholder, and how it is
// written for the database.

import { InvariantError } from '../errors/invariant.ts'
import type { PlanValue, Slot } from '../plan/read-plan.ts'
import type { SqlValue } from './statement.ts'

/** Filled with the parents' ids, as one list, when a populated level is read. */
export const PARENTS = -1

export interface Bound {
  readonly slot: Slot | typeof PARENTS
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
): readonly SqlValue[] {
  const encoded: SqlValue[] = new Array(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index]
    if (parameter === undefined) continue
    const value = parameter.slot === PARENTS ? parents : values[parameter.slot]
    if (value === undefined) throw new InvariantError(`no value for slot ${parameter.slot}`)
    encoded[index] = parameter.encode(value)
  }
  return encoded
}
