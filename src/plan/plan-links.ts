// A relation's or media's value in a payload -> the change of its links (BEHAVIOUR 9.20 to 9.26).

import { ApiError, type ErrorItem } from '../errors/api-error.ts'
import type { MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import { planLimits, tooMuch } from './planning.ts'
import type { Connection, LinkChange, Position } from './write-plan.ts'

const KEYS: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options'])

/** The change, or undefined when the value asks for none. */
export function planLinks(
  attribute: RelationAttribute | MediaAttribute,
  value: unknown,
): { readonly change: LinkChange } | { readonly fault: ErrorItem } | undefined {
  const invalid = { fault: { path: [], message: 'Invalid relations', name: 'ValidationError' } }
  const many = attribute.kind === 'media' ? attribute.multiple : attribute.cardinality === 'many'
  const set = (ids: readonly number[]): { change: LinkChange } => ({
    change: { kind: 'set', ids: kept(many, ids) },
  })
  if (value === null) return set([])
  if (typeof value === 'object' && !Array.isArray(value) && !('id' in value)) {
    const input = value as Record<string, unknown>
    for (const key of Object.keys(input)) if (!KEYS.has(key)) throw unknownKey(attribute.name, key)
    if (input['set'] !== undefined && input['set'] !== null) {
      const ids = idsOf(input['set'])
      return ids === undefined ? invalid : set(ids)
    }
    const connect = connectionsOf(input['connect'] ?? [])
    const disconnect = idsOf(input['disconnect'] ?? [])
    if (connect === undefined || disconnect === undefined) return invalid
    if (connect.length === 0 && disconnect.length === 0) return undefined
    const last = connect.at(-1)
    if (!many && last !== undefined) return set([last.id])
    return { change: { kind: 'change', connect, disconnect } }
  }
  const ids = idsOf(value)
  return ids === undefined ? invalid : set(ids)
}

/** To-one takes the last of several; a list keeps the first of duplicates. */
function kept(many: boolean, ids: readonly number[]): readonly number[] {
  return many ? [...new Set(ids)] : ids.slice(-1)
}

function idsOf(value: unknown): readonly number[] | undefined {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (elements.length > planLimits.listLength) throw tooMuch('related entries', planLimits.listLength)
  const ids: number[] = []
  for (const element of elements) {
    const id = idOf(element)
    if (id === undefined) return undefined
    ids.push(id)
  }
  return ids
}

function idOf(value: unknown): number | undefined {
  const plain: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  const id = typeof plain === 'string' && /^\d{1,16}$/.test(plain) ? Number(plain) : plain
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

function connectionsOf(value: unknown): readonly Connection[] | undefined {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (elements.length > planLimits.listLength) throw tooMuch('related entries', planLimits.listLength)
  const connections: Connection[] = []
  for (const element of elements) {
    const id = idOf(element)
    if (id === undefined) return undefined
    const position =
      typeof element === 'object' && element !== null && 'position' in element ? element.position : undefined
    connections.push({ id, position: positionOf(position) })
  }
  return connections
}

function positionOf(value: unknown): Position {
  if (value === undefined || value === null) return { at: 'end' }
  if (typeof value !== 'object') throw new ApiError('ValidationError', 'Invalid relation position')
  const position = value as Record<string, unknown>
  if (position['start'] === true) return { at: 'start' }
  for (const at of ['before', 'after'] as const) {
    if (position[at] === undefined) continue
    const id = idOf(position[at])
    if (id === undefined)
      throw new ApiError('ValidationError', `Invalid relation position: ${at} needs an id`)
    return { at, id }
  }
  return { at: 'end' }
}

function unknownKey(name: string, key: string): ApiError {
  return new ApiError(
    'ValidationError',
    `Invalid key ${key} in relation ${name}: use set, connect or disconnect`,
  )
}
