// Turns a polymorphic relation's value into a change of targets. Accepts `{ __type, id }` or `{ type, id }`,
// lists of these, null, `{ set }` and `{ connect, disconnect }`, in `connect` with a `position`.

import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { RelationAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { createUnknownKey, getId, getPosition, isLoose } from './plan-links.ts'
import type { MorphChange, MorphConnection, MorphTarget } from './write-plan.ts'

/** `count` gets the length of each list, and may throw. Throws ValidationError for other forms. */
export function planMorph(
  attribute: RelationAttribute,
  value: unknown,
  count: (elements: number) => void,
): MorphChange | undefined {
  const many = attribute.cardinality === 'many'
  const set = (targets: readonly MorphTarget[]): MorphChange => ({
    kind: 'set',
    targets: many ? distinct(targets) : targets.slice(-1),
  })
  if (value === null) return set([])
  if (!isRecord(value) || 'id' in value)
    return set(getList(value, count).map((one) => getTarget(attribute, one)))
  for (const key of Object.keys(value)) {
    if (!KEYS.has(key)) throw namesType(value) ? invalid(attribute) : createUnknownKey(attribute.name, key)
  }
  const given = (key: string): readonly unknown[] => getList(value[key] ?? [], count)
  const targets = (key: string): readonly MorphTarget[] => given(key).map((one) => getTarget(attribute, one))
  if (value['set'] !== undefined && value['set'] !== null) return set(targets('set'))
  const connect = given('connect').map((one) => getConnection(attribute, one))
  const disconnect = targets('disconnect')
  if (connect.length === 0 && disconnect.length === 0) return undefined
  if (!many && connect.length > 0) return set(connect.map(({ type, id }) => ({ type, id })))
  return { kind: 'change', connect, disconnect, ...(isLoose(value) && { loose: true }) }
}

const KEYS: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options'])

function getList(value: unknown, count: (elements: number) => void): readonly unknown[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
  count(elements.length)
  return elements
}

function getTarget(attribute: RelationAttribute, value: unknown): MorphTarget {
  if (!isRecord(value)) throw invalid(attribute)
  const type = findNamedType(attribute, value)
  const id = getId(value)
  if (type === undefined || id === undefined) throw invalid(attribute)
  return { type, id }
}

export function findNamedType(
  { targets }: RelationAttribute,
  value: Readonly<Record<string, unknown>>,
): ContentType | undefined {
  const uid = value['__type'] ?? value['type']
  return targets.find((candidate) => candidate.uid === uid)
}

export function namesType(position: Readonly<Record<string, unknown>>): boolean {
  return (position['__type'] ?? position['type'] ?? undefined) !== undefined
}

function getConnection(attribute: RelationAttribute, value: unknown): MorphConnection {
  const target = getTarget(attribute, value)
  const given = isRecord(value) ? value['position'] : undefined
  const position = getPosition(given)
  if (!('id' in position)) return { ...target, position }
  const type = isRecord(given) && namesType(given) ? findNamedType(attribute, given) : target.type
  if (type === undefined) throw invalid(attribute)
  return { ...target, position: { ...position, type } }
}

function distinct(targets: readonly MorphTarget[]): readonly MorphTarget[] {
  return [...new Map(targets.map((target) => [buildTargetKey(target), target])).values()]
}

export function buildTargetKey({ type, id }: MorphTarget): string {
  return `${type.uid} ${id}`
}

function invalid({ name }: RelationAttribute): ApiError {
  return new ApiError(
    'ValidationError',
    `Invalid relation ${name}: it points at entries of any content-type, write { "__type": "api::article.article", "id": 1 }`,
  )
}
