// Splits filters into those that the client sent and those that the server's own code added, so that each part is
// checked with the rights of its author. Only filters joined by "and" are split. A mixture within `$or` or `$not`
// counts as the client's, and so does everything under a name that the client sent, even if code changed the value.

import { isRecord } from './is-record.ts'
import type { SentValues } from './sent-values.ts'

type Filters = Readonly<Record<string, unknown>>

export interface SplitFilters {
  readonly sent: Filters
  /** Undefined when the server's code added none. */
  readonly own: Filters | undefined
}

/** `and`: the spelling of the operator in these filters, `$and` or `and`. */
export function splitFilters(filters: Filters, sent: SentValues, and: string): SplitFilters {
  const callers: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filters)) {
    if (name === and && Array.isArray(value)) {
      const parts = value.map((one) =>
        isRecord(one) ? splitFilters(one, sent, and) : { sent: one, own: undefined },
      )
      const owned = parts.flatMap((part) => (part.own === undefined ? [] : [part.own]))
      callers[name] = parts.map((part) => part.sent as unknown)
      if (owned.length > 0) own[name] = owned
    } else if (isOwn(name, value, sent, LOGICAL.has(name))) own[name] = value
    else callers[name] = value
  }
  return { sent: callers, own: Object.keys(own).length === 0 ? undefined : own }
}

const LOGICAL: ReadonlySet<string> = new Set(['$and', '$or', '$not', 'and', 'or', 'not'])

/** `strict`: whether names with conditions on values count, too, as within `$or` and `$not`. */
function isOwn(name: string, value: unknown, sent: SentValues, strict: boolean): boolean {
  if (sent.isSent(value)) return false
  if (!LOGICAL.has(name) && sent.wasSent(name)) return false
  return isOwnBelow(value, sent, strict)
}

function isOwnBelow(value: unknown, sent: SentValues, strict: boolean): boolean {
  if (sent.isSent(value)) return false
  if (Array.isArray(value)) return value.every((one) => isOwnBelow(one, sent, strict))
  if (!isRecord(value)) return true
  return Object.entries(value).every(([name, one]) => {
    const asked = strict || LOGICAL.has(name) || leadsOn(one)
    if (asked && !isOperator(name) && sent.wasSent(name)) return false
    return isOwnBelow(one, sent, strict || LOGICAL.has(name))
  })
}

function isOperator(name: string): boolean {
  return name.startsWith('$') || LOGICAL.has(name)
}

/** Whether the filter's value leads to other entries, and is not a condition on one value. */
function leadsOn(value: unknown): boolean {
  return (
    isRecord(value) && Object.entries(value).some(([name, one]) => isRecord(one) || !name.startsWith('$'))
  )
}
