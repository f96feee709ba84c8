// Turns the value of a morphToOne or morphToMany in a payload into the change of its targets. Accepts
// `{ __type, id }` or `{ type, id }`, lists of these, null, `{ set }`, `{ connect, disconnect }`.

import { ApiError } from '../../errors/api-error.ts'
import type { RelationAttribute } from '../../model/attribute.ts'
import { isRecord } from '../../util/is-record.ts'
import { idOf } from './plan-links.ts'
import type { MorphChange, MorphTarget } from './write-plan.ts'

/**
 * Returns undefined when the value asks for no change. `count` gets the length of each list, and may throw. Throws
 * ValidationError for a value of another form.
 */
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
  if (!isRecord(value) || 'id' in value) return set(targetsOf(attribute, value, count))
  for (const key of Object.keys(value)) {
    if (!['set', 'connect', 'disconnect'].includes(key)) throw invalid(attribute)
  }
  const given = (key: string): readonly MorphTarget[] => targetsOf(attribute, value[key] ?? [], count)
  if (value['set'] !== undefined && value['set'] !== null) return set(given('set'))
  const connect = given('connect')
  const disconnect = given('disconnect')
  if (connect.length === 0 && disconnect.length === 0) return undefined
  if (!many && connect.length > 0) return set(connect)
  return { kind: 'change', connect: distinct(connect), disconnect }
}

function targetsOf(
  attribute: RelationAttribute,
  value: unknown,
  count: (elements: number) => void,
): readonly MorphTarget[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
  count(elements.length)
  return elements.map((element) => targetOf(attribute, element))
}

function targetOf(attribute: RelationAttribute, value: unknown): MorphTarget {
  if (!isRecord(value)) throw invalid(attribute)
  const uid = value['__type'] ?? value['type']
  const type = attribute.targets.find((candidate) => candidate.uid === uid)
  const id = idOf(value)
  if (type === undefined || id === undefined) throw invalid(attribute)
  return { type, id }
}

function distinct(targets: readonly MorphTarget[]): readonly MorphTarget[] {
  return [...new Map(targets.map((target) => [keyOfTarget(target), target])).values()]
}

/** A key that is equal for the same entry of the same content-type. */
export function keyOfTarget({ type, id }: MorphTarget): string {
  return `${type.uid} ${id}`
}

function invalid({ name }: RelationAttribute): ApiError {
  return new ApiError(
    'ValidationError',
    `Invalid relation ${name}: it points at entries of any content-type, write { "__type": "api::article.article", "id": 1 }`,
  )
}
