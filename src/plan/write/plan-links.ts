// Turns a relation's or media's value in a payload into a change of links.

import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isToMany, type MediaAttribute, type RelationAttribute } from '../../model/attribute.ts'
import { NO_ENTRY } from '../parse-id.ts'
import type { Connection, LinkChange, Position } from './write-plan.ts'

const KEYS: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options'])

/** Undefined when the value requests no change. `count` gets the length of each list, and may throw. */
export function planLinks(
  attribute: RelationAttribute | MediaAttribute,
  value: unknown,
  count: (elements: number) => void = () => {},
): { readonly change: LinkChange } | { readonly fault: string } | undefined {
  const invalid = { fault: 'Invalid relations' }
  const many = isToMany(attribute)
  const set = (ids: readonly number[]): { change: LinkChange } => ({
    change: { kind: 'set', ids: listKept(attribute, many, ids) },
  })
  if (value === null) return set([])
  if (typeof value === 'object' && !Array.isArray(value) && !('id' in value)) {
    const input = value as Record<string, unknown>
    for (const key of Object.keys(input)) if (!KEYS.has(key)) throw createUnknownKey(attribute.name, key)
    if (input['set'] !== undefined && input['set'] !== null) {
      const ids = getList(input['set'], getId, count)
      return ids === undefined ? invalid : set(ids)
    }
    const connect = getList(input['connect'] ?? [], getConnection, count)
    const disconnect = getList(input['disconnect'] ?? [], getId, count)
    if (connect === undefined || disconnect === undefined) return invalid
    if (connect.length === 0 && disconnect.length === 0) return undefined
    const last = connect.at(-1)
    if (!many && last !== undefined) return set([last.id])
    return { change: { kind: 'change', connect, disconnect, ...(isLoose(input) && { loose: true }) } }
  }
  const ids = getList(Array.isArray(value) ? value : [value], getId, count)
  return ids === undefined ? invalid : set(ids)
}

export function isLoose({ options }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(options) && options['strict'] === false
}

/** Of several ids, a relation to one keeps the last and single media the first; a list drops later duplicates. */
function listKept(
  attribute: RelationAttribute | MediaAttribute,
  many: boolean,
  ids: readonly number[],
): readonly number[] {
  if (many) return [...new Set(ids)]
  return attribute.kind === 'media' ? ids.slice(0, 1) : ids.slice(-1)
}

function getList<T>(
  value: unknown,
  read: (element: unknown) => T | undefined,
  count: (elements: number) => void,
): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined
  count(value.length)
  const list: T[] = []
  for (const element of value) {
    const one = read(element)
    if (one === undefined) return undefined
    list.push(one)
  }
  return list
}

/** NO_ENTRY for an invalid text, number or boolean; undefined for any other value. */
export function getId(value: unknown): number | undefined {
  const plain: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  if (plain === null || typeof plain === 'object' || plain === undefined) return undefined
  const id = typeof plain === 'string' && /^\d{1,16}$/.test(plain) ? Number(plain) : plain
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : NO_ENTRY
}

function getConnection(value: unknown): Connection | undefined {
  const id = getId(value)
  if (id === undefined) return undefined
  const position =
    typeof value === 'object' && value !== null && 'position' in value ? value.position : undefined
  return { id, position: getPosition(position) }
}

/** A position may also name the type, locale and status of its entry. */
const POSITION_KEYS: ReadonlySet<string> = new Set([
  ...['start', 'end', 'before', 'after'],
  ...['__type', 'type', 'locale', 'status'],
])

export function getPosition(value: unknown): Position {
  if (value === undefined || value === null) return { at: 'end' }
  if (!isRecord(value)) throw new ApiError('ValidationError', 'Invalid relation position')
  const position = value
  const unknown = Object.keys(position).find((key) => !POSITION_KEYS.has(key))
  if (unknown !== undefined)
    throw new ApiError(
      'ValidationError',
      `Invalid relation position: use start, end, before or after, not ${unknown}`,
    )
  if (position['start'] === true) return { at: 'start' }
  for (const at of ['before', 'after'] as const) {
    if (position[at] === undefined) continue
    const id = getId(position[at])
    if (id === undefined)
      throw new ApiError('ValidationError', `Invalid relation position: ${at} needs an id`)
    return { at, id }
  }
  return { at: 'end' }
}

export function createUnknownKey(name: string, key: string): ApiError {
  return new ApiError(
    'ValidationError',
    `Invalid key ${key} in relation ${name}: use set, connect or disconnect`,
  )
}
