// Plans a change of a stored value, which the database makes in the statement of the update: `{ $inc: 1 }`, `{ $push: x }`.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Attribute, ScalarAttribute } from '../../model/attribute.ts'
import { fault, formatLabel, type Path, type PayloadContext } from './write-building.ts'
import type { ValueChange } from './write-plan.ts'

const OF_NUMBERS: ReadonlySet<string> = new Set(['$inc', '$mul'])
const OF_LISTS: ReadonlySet<string> = new Set(['$push', '$pull'])
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

/** So that no database overflows. */
const MAX_OPERAND = 1e100

/** Whether the value may be planned as a change. */
export function isChange(attribute: Attribute | undefined, value: unknown): boolean {
  if (attribute?.kind !== 'scalar' || !isRecord(value)) return false
  return Object.keys(value).some((key) => OF_NUMBERS.has(key) || OF_LISTS.has(key))
}

/** Returns false for a value that is no change: objects of JSON attributes are changes only with one of the list operators. */
export function planChange(
  building: PayloadContext,
  attribute: ScalarAttribute,
  value: unknown,
  path: Path,
): boolean {
  if (!isRecord(value)) return false
  const [operator = '', ...others] = Object.keys(value)
  const isJson = attributeTypes[attribute.type].column === 'json'
  if (!OF_LISTS.has(operator) && (isJson || !OF_NUMBERS.has(operator))) return false
  const label = formatLabel(path)
  const refuse = (reason: string): true => {
    fault(building, path, `${label} ${reason}`)
    return true
  }
  if (others.length > 0) return isJson ? false : refuse(`has more than one operator beside ${operator}`)
  if (path.length > 1) return refuse(`is within a component, which takes whole values instead of ${operator}`)
  if (building.options.mode !== 'update') return refuse(`has no value yet, so it cannot take ${operator}`)
  if (attribute.unique) return refuse(`is unique, so it takes whole values instead of ${operator}`)
  const operand = value[operator]
  if (OF_LISTS.has(operator)) {
    if (attribute.type !== 'json') return refuse(`is no list, so it cannot take ${operator}`)
    const text = JSON.stringify(operand)
    if (text === undefined) return refuse(`needs a JSON value for ${operator}`)
    add(building, attribute, path, operator as ValueChange['operator'], text)
    return true
  }
  const { column } = attributeTypes[attribute.type]
  if (!NUMBERS.has(column)) return refuse(`cannot take ${operator}`)
  const isOperand = typeof operand === 'number' && Math.abs(operand) <= MAX_OPERAND
  if (!isOperand) return refuse(`needs a number for ${operator}`)
  if (column === 'integer' && !Number.isSafeInteger(operand))
    return refuse(`needs a whole number for ${operator}`)
  add(building, attribute, path, operator as ValueChange['operator'], operand)
  return true
}

function add(
  { changes, options }: PayloadContext,
  attribute: ScalarAttribute,
  path: Path,
  operator: ValueChange['operator'],
  operand: number | string,
): void {
  const label = formatLabel(path)
  const { check, decode } = attributeTypes[attribute.type]
  changes.set(attribute, {
    operator,
    operand,
    findFaults(stored) {
      if (stored === null)
        return [OF_LISTS.has(operator) ? `${label} is no list` : `${label} would be out of range`]
      const { faults } = check(attribute, label, decode(stored), options.draft, 1)
      return faults.map((one) => (typeof one === 'string' ? one : one.message))
    },
  })
}
