// Picks values at paths out of a JSON value: `{ a: 1, in: { b: 2, c: 3 } }` by `in.b` is `{ in: { b: 2 } }`.

import type { JsonPaths } from '../../plan/read-plan.ts'

/** Below each name the rest of the paths; undefined is the whole value. */
type Picks = Map<string, Picks | undefined>

/** Objects and lists on the way become objects with the named keys; a value without keys is null. */
export function createJsonPick(paths: JsonPaths): (value: unknown) => unknown {
  const picks: Picks = new Map()
  for (const path of paths) addPath(picks, path)
  return (value) => pick(value, picks)
}

function addPath(picks: Picks, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    picks.set(name, undefined)
    return
  }
  if (picks.has(name) && picks.get(name) === undefined) return
  const below: Picks = picks.get(name) ?? new Map()
  picks.set(name, below)
  addPath(below, rest)
}

function pick(value: unknown, picks: Picks): unknown {
  if (typeof value !== 'object' || value === null) return null
  const members = Object.entries(value).filter(([name]) => picks.has(name))
  return Object.fromEntries(
    members.map(([name, inner]) => {
      const below = picks.get(name)
      return [name, below === undefined ? inner : pick(inner, below)]
    }),
  )
}
