// Entries as plain objects, for seeding, resolvers and `cms.entries()`: `{ id, ...attributes, ...members }`.

import { InvariantError } from '../errors/invariant.ts'
import type { ScalarAttribute, ScalarType } from '../model/attribute.ts'
import type { PopulatePlan, ReadPlan } from '../plan/read-plan.ts'
import type { SqlValue } from '../sql/statement.ts'
import { formatDateTime } from '../util/format-date-time.ts'
import { type EntryRow, idOf, type MemberValue, type MixedRow } from './entry.ts'

export type EntryObject = Record<string, unknown> & { readonly id: number }

type Decode = (value: Exclude<SqlValue, null>) => unknown

const same: Decode = (value) => value

/** A stored value as JavaScript has it; one answer for every type. */
const decodes = {
  string: same,
  text: same,
  richtext: same,
  blocks: (value) => JSON.parse(String(value)),
  email: same,
  password: () => undefined,
  uid: same,
  integer: same,
  biginteger: String,
  float: Number,
  decimal: Number,
  boolean: (value) => value === 1,
  date: same,
  time: same,
  datetime: (value) => formatDateTime(Number(value)),
  timestamp: (value) => formatDateTime(Number(value)),
  json: (value) => JSON.parse(String(value)),
  enumeration: same,
} as const satisfies Record<ScalarType, Decode>

export function decodeValue(attribute: ScalarAttribute, value: SqlValue | undefined): unknown {
  return value === null || value === undefined ? null : decodes[attribute.type](value)
}

export function toObject(plan: ReadPlan, entry: EntryRow): EntryObject {
  const object: EntryObject = { id: idOf(entry) }
  for (const [index, attribute] of plan.columns.entries()) {
    object[attribute.name] = decodeValue(attribute, entry.row[entry.at + 1 + index])
  }
  for (const [index, populate] of plan.populate.entries()) {
    object[populate.attribute.name] = memberObject(populate, entry.members[index] ?? null)
  }
  return object
}

function memberObject(populate: PopulatePlan, value: MemberValue): unknown {
  if (value === null) return null
  if (populate.kind === 'zone') {
    return (value as readonly MixedRow[]).map((row) => {
      const { plan, component } = planAt(populate.plans, row)
      const { id, ...rest } = toObject(plan, row.entry)
      return { id, __component: component.uid, ...rest }
    })
  }
  if (populate.kind === 'morph') {
    const objects = (value as readonly MixedRow[]).map((row) => {
      const { plan, type } = planAt(populate.plans, row)
      return { __type: type.uid, ...toObject(plan, row.entry) }
    })
    return populate.many ? objects : (objects[0] ?? null)
  }
  if (populate.kind === 'relation' && populate.count)
    return { count: Array.isArray(value) ? value.length : 0 }
  if (Array.isArray(value)) return (value as readonly EntryRow[]).map((row) => toObject(populate.plan, row))
  return toObject(populate.plan, value as EntryRow)
}

function planAt<P>(plans: readonly P[], { level }: MixedRow): P {
  const plan = plans[level]
  if (plan === undefined) throw new InvariantError(`no plan for level ${level}`)
  return plan
}
