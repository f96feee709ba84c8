// Filters and sorts evaluated on plain objects, without SQL and without the planner: what the answers must agree
// with. Null logic is SQL's: a comparison with null is neither true nor false, and only true lets an entry in.

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }
type Truth = boolean | undefined

/** `undefined` is SQL's "unknown". */
export function evaluate(row: Row, filter: unknown): Truth {
  const conditions = Object.entries(filter as Record<string, unknown>).map(([key, value]): Truth => {
    if (key === '$and') return all((value as unknown[]).map((part) => evaluate(row, part)))
    if (key === '$or') return any((value as unknown[]).map((part) => evaluate(row, part)))
    if (key === '$not') return not(evaluate(row, value))
    const stored = row[key] ?? null
    if (Array.isArray(stored) && stored.length > 0)
      return stored.some((related) => evaluate(related as Row, value) === true)
    if (isRow(stored)) return evaluate(stored, value)
    // Nothing related is an entry of which everything is null; of many, there is none then that fulfils anything else.
    if (key === 'one') return evaluate(NOTHING, value)
    if (key === 'many') return evaluate(NOTHING, value) === true
    return compare(stored, value)
  })
  return all(conditions)
}

const NOTHING: Row = { id: 0 }

function compare(stored: unknown, condition: unknown): Truth {
  if (!isObject(condition)) return compareOne(stored, '$eq', condition)
  return all(
    Object.entries(condition).map(([operator, operand]) =>
      operator === '$not' ? not(compare(stored, operand)) : compareOne(stored, operator, operand),
    ),
  )
}

function compareOne(stored: unknown, operator: string, operand: unknown): Truth {
  switch (operator) {
    case '$null':
      return (stored === null) === operand
    case '$notNull':
      return (stored !== null) === operand
  }
  // Nothing is in an empty list, null neither.
  if (Array.isArray(operand) && operand.length === 0) return operator === '$notIn'
  if (stored === null) return undefined
  const text = String(stored)
  const fold = (value: unknown): string => String(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  switch (operator) {
    case '$eq':
      return stored === operand
    case '$ne':
      return stored !== operand
    case '$eqi':
      return fold(text) === fold(operand)
    case '$nei':
      return fold(text) !== fold(operand)
    case '$lt':
      return order(stored, operand) < 0
    case '$lte':
      return order(stored, operand) <= 0
    case '$gt':
      return order(stored, operand) > 0
    case '$gte':
      return order(stored, operand) >= 0
    case '$in':
      return (operand as unknown[]).includes(stored)
    case '$notIn':
      return !(operand as unknown[]).includes(stored)
    case '$between': {
      const [low, high] = operand as [unknown, unknown]
      return order(stored, low) >= 0 && order(stored, high) <= 0
    }
    case '$contains':
      return text.includes(String(operand))
    case '$notContains':
      return !text.includes(String(operand))
    case '$containsi':
      return fold(text).includes(fold(operand))
    case '$notContainsi':
      return !fold(text).includes(fold(operand))
    case '$startsWith':
      return text.startsWith(String(operand))
    case '$startsWithi':
      return fold(text).startsWith(fold(operand))
    case '$endsWith':
      return text.endsWith(String(operand))
    case '$endsWithi':
      return fold(text).endsWith(fold(operand))
    default:
      throw new Error(`the oracle does not know ${operator}`)
  }
}

/** Numbers by size, text by its UTF-8 bytes, false before true. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

export interface OracleSort {
  readonly name: string
  readonly descending: boolean
}

/** Null comes first ascending and last descending; the id decides at last. */
export function sortRows(rows: readonly Row[], sorts: readonly OracleSort[]): readonly Row[] {
  return [...rows].sort((a, b) => {
    for (const { name, descending } of sorts) {
      const by = orderWithNull(a[name], b[name])
      if (by !== 0) return descending ? -by : by
    }
    return a.id - b.id
  })
}

function orderWithNull(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return order(a, b)
}

function all(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function any(parts: readonly Truth[]): Truth {
  if (parts.includes(true)) return true
  return parts.includes(undefined) ? undefined : false
}

function not(part: Truth): Truth {
  return part === undefined ? undefined : !part
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRow(value: unknown): value is Row {
  return isObject(value) && 'id' in value
}
