// Splits filters, so that the client's and the server code's are each checked with their author's rights. A
// mixture within `$or` or `$not`, and everything under a name that the client sent, counts as the client's.

import { isRecord } from './is-record.ts'
import type { SentValues } from './sent-values.ts'

type Filters = Readonly<Record<string, unknown>>

export interface SplitFilters {
  readonly sent: Filters
  readonly own: Filters | undefined
}

/** `and`: `$and` or `and`. */
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

/** `strict`: names with conditions on values count, too, as within `$or` and `$not`. */
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

/** True for a filter on related entries, false for a condition on one value. */
function leadsOn(value: unknown): boolean {
  return (
    isRecord(value) && Object.entries(value).some(([name, one]) => isRecord(one) || !name.startsWith('$'))
  )
}
