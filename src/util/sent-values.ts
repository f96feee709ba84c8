// What a client sent, told apart from what the server's own code put beside it or in its place (decision 0095). A value
// is the client's where it shares a text or number with what the client sent by the same name: code that passes something
// on passes on the client's rights, also in a copy.

import { exactKey } from './exact-key.ts'
import { isRecord } from './is-record.ts'

type Values = Readonly<Record<string, unknown>>

export class SentValues {
  /** Texts and numbers by each name that they were sent below. */
  readonly #leaves = new Map<string, Set<string>>()
  /** Every object and list that was sent. */
  readonly #objects = new WeakSet<object>()

  constructor(sent: unknown) {
    this.#collect(sent, [])
  }

  #collect(value: unknown, names: readonly Set<string>[]): void {
    if (typeof value !== 'object' || value === null) {
      if (isLeaf(value)) for (const leaves of names) leaves.add(String(value))
      return
    }
    if (this.#objects.has(value)) return
    this.#objects.add(value)
    for (const [name, one] of Object.entries(value)) {
      if (Array.isArray(value)) this.#collect(one, names)
      else this.#collect(one, [...names, this.#leavesBelow(name)])
    }
  }

  #leavesBelow(name: string): Set<string> {
    const leaves = this.#leaves.get(name) ?? new Set()
    this.#leaves.set(name, leaves)
    return leaves
  }

  /** Whether anything was sent by this name, at whatever depth. */
  wasSent(name: string): boolean {
    return this.#leaves.has(name)
  }

  /** Whether the value that now has this name is, or holds, what was sent by it. */
  holds(name: string, value: unknown): boolean {
    if (!this.#leaves.has(name)) return false
    // Without a text or number there is nothing to tell it by: `null`, `true`, an empty list.
    const leaves = leavesOf(value)
    const sent = this.#leaves.get(name)
    return leaves.length === 0 || leaves.some((leaf) => sent?.has(leaf))
  }

  isSent(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.#objects.has(value)
  }

  /** Names in `data` whose values the server's own code put there. */
  ownNames(data: unknown): ReadonlySet<string> {
    const own = new Set<string>()
    for (const [name, value] of Object.entries(isRecord(data) ? data : {})) {
      if (!this.isSent(value) && !this.holds(name, value)) own.add(name)
    }
    return own
  }
}

/** Names of what is new in `now`, or has nothing in common with what stood there before. */
export function changedNames(before: Values, now: Values): readonly string[] {
  return Object.keys(now).filter((name) => {
    if (!Object.hasOwn(before, name)) return true
    if (now[name] === before[name] || exactKey(now[name]) === exactKey(before[name])) return false
    const leaves = new Set(leavesOf(before[name]))
    return !leavesOf(now[name]).some((leaf) => leaves.has(leaf))
  })
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value as Values).flatMap(leavesOf)
  return isLeaf(value) ? [String(value)] : []
}

function isLeaf(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}
