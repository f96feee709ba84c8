// Distinguishes a client's values from those that the server's code changed. A value that shares a text or
// number with one sent under the same name is the client's, so a copy keeps the client's rights.

import { buildExactKey } from './exact-key.ts'
import { buildRecord } from './is-record.ts'

type Values = Readonly<Record<string, unknown>>

export class SentValues {
  readonly #leaves = new Map<string, Set<string>>()
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

  wasSent(name: string): boolean {
    return this.#leaves.has(name)
  }

  holds(name: string, value: unknown): boolean {
    if (!this.#leaves.has(name)) return false
    // Values without texts and numbers (`null`, `true`, an empty list) cannot be distinguished, so they count
    // as sent.
    const leaves = listLeaves(value)
    const sent = this.#leaves.get(name)
    return leaves.length === 0 || leaves.some((leaf) => sent?.has(leaf))
  }

  isSent(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.#objects.has(value)
  }

  ownNames(data: unknown): ReadonlySet<string> {
    const own = new Set<string>()
    for (const [name, value] of Object.entries(buildRecord(data))) {
      if (!this.isSent(value) && !this.holds(name, value)) own.add(name)
    }
    return own
  }
}

/** Lists names that are new, or whose values share no text or number with `before`. */
export function listChangedNames(before: Values, now: Values): readonly string[] {
  return Object.keys(now).filter((name) => {
    if (!Object.hasOwn(before, name)) return true
    if (now[name] === before[name] || buildExactKey(now[name]) === buildExactKey(before[name])) return false
    const leaves = new Set(listLeaves(before[name]))
    return !listLeaves(now[name]).some((leaf) => leaves.has(leaf))
  })
}

function listLeaves(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value as Values).flatMap(listLeaves)
  return isLeaf(value) ? [String(value)] : []
}

function isLeaf(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}
