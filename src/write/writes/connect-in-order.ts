// Puts connected entries at their positions in a relation's list.

import { ApiError } from '../../lib/errors/api-error.ts'
import type { Connection } from '../../plan/write/write-plan.ts'

/** `T` identifies the entry. */
type PlacedEntry<T> = T & {
  readonly position: { readonly at: 'end' | 'start' } | ({ readonly at: 'before' | 'after' } & T)
}

/**
 * Moves connected entries in the order of the payload. `loose`: a position beside an unlisted entry becomes
 * the end. `keyOf`: how the list names an entry. Throws ValidationError.
 */
export function connectInOrder<K, T extends { readonly id: number }>(
  list: readonly K[],
  { connect, loose = false }: { readonly connect: readonly PlacedEntry<T>[]; readonly loose?: boolean },
  buildKey: (entry: T) => K,
): readonly K[] {
  const placed = [...list]
  for (const connection of inOrder(new Set(list), connect, buildKey))
    place(placed, connection, buildKey, loose)
  return placed
}

/** Puts an entry after a new one that its position refers to. */
function inOrder<K, T extends { readonly id: number }>(
  list: ReadonlySet<K>,
  connect: readonly PlacedEntry<T>[],
  buildKey: (entry: T) => K,
): readonly PlacedEntry<T>[] {
  const byKey = new Map<K, PlacedEntry<T>>()
  for (const connection of connect) {
    const same = byKey.get(buildKey(connection))
    if (same === undefined) byKey.set(buildKey(connection), connection)
    else if (placeKey(same, buildKey) !== placeKey(connection, buildKey)) throw connectedTwice(connection)
  }
  const ordered = new Set<PlacedEntry<T>>()
  const open = new Set<PlacedEntry<T>>()
  const add = (connection: PlacedEntry<T>): void => {
    if (open.has(connection)) throw circular()
    if (ordered.has(connection)) return
    open.add(connection)
    const { position } = connection
    const beside =
      'id' in position && !list.has(buildKey(position)) ? byKey.get(buildKey(position)) : undefined
    if (beside !== undefined && beside !== connection) add(beside)
    open.delete(connection)
    ordered.add(connection)
  }
  for (const connection of byKey.values()) add(connection)
  return [...ordered]
}

function placeKey<K, T extends { readonly id: number }>(
  { position }: PlacedEntry<T>,
  buildKey: (entry: T) => K,
): string {
  return 'id' in position ? `${position.at} ${String(buildKey(position))}` : position.at
}

function place<K, T extends { readonly id: number }>(
  list: K[],
  connection: PlacedEntry<T>,
  buildKey: (entry: T) => K,
  loose: boolean,
): void {
  const { position } = connection
  const key = buildKey(connection)
  const already = list.indexOf(key)
  if (already >= 0) list.splice(already, 1)
  if (!('id' in position)) {
    if (position.at === 'end') list.push(key)
    else list.unshift(key)
    return
  }
  const anchor = list.indexOf(buildKey(position))
  if (anchor < 0 && !loose) throw createNotConnected(connection)
  if (anchor < 0) list.push(key)
  else list.splice(anchor + (position.at === 'after' ? 1 : 0), 0, key)
}

export function createNotConnected({ id, position }: Connection): ApiError {
  const anchor = 'id' in position ? position.id : undefined
  return new ApiError(
    'ValidationError',
    `There was a problem connecting relation with id ${id} at position ${JSON.stringify({ [position.at]: anchor })}. The relation with id ${anchor} needs to be connected first.`,
  )
}

function connectedTwice({ id }: { readonly id: number }): ApiError {
  return new ApiError(
    'ValidationError',
    `The relation with id ${id} is already connected. You cannot connect the same relation twice.`,
  )
}

function circular(): ApiError {
  return new ApiError(
    'ValidationError',
    'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
  )
}
