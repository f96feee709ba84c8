// Turns rows into the values that resolvers pass to each other. One function per plan, made together with the plan.

import { type EntryRow, idOf } from '../../../content/rows/entry.ts'
import { foldMember, type PlanFold } from '../../../content/rows/fold-member.ts'
import { decodeValue } from '../../../content/rows/to-object.ts'
import { InvariantError } from '../../../errors/invariant.ts'
import type { ReadPlan } from '../../../plan/read-plan.ts'
import { attachMembers, type EntryValue, MemberFault } from './entry-value.ts'

export type AssembleEntry = (entry: EntryRow) => EntryValue

export function createAssembler(plan: ReadPlan, mark?: Readonly<Record<string, string>>): AssembleEntry {
  const { columns } = plan
  const members = plan.populate.map((populate) => [populate.key, foldMember(populate, fold)] as const)
  const faults = Object.fromEntries(
    [...(plan.faults ?? [])].map(([key, fault]) => [key, new MemberFault(fault)]),
  )
  return (entry) => {
    const value: Record<string, unknown> = { id: idOf(entry), ...mark }
    let at = entry.at + 1
    for (const attribute of columns) value[attribute.name] = decodeValue(attribute, entry.row[at++])
    if (members.length > 0 || plan.faults !== undefined) {
      const ahead: Record<string, unknown> = Object.assign(Object.create(null), faults)
      for (let index = 0; index < members.length; index++) {
        const member = members[index]
        if (member !== undefined) ahead[member[0]] = member[1](entry.members[index] ?? null)
      }
      attachMembers(value, ahead)
    }
    return value as EntryValue
  }
}

/** Never undefined: undefined would mean that the value was not read. */
const fold: PlanFold<EntryValue, unknown> = {
  entry(plan, role) {
    if (role.kind === 'morph') return createAssembler(plan, { __type: role.uid })
    const isOfZone = role.kind === 'component' && role.uid !== undefined
    return createAssembler(plan, isOfZone ? { __component: role.uid } : undefined)
  },
  member: ({ kind }) =>
    kind === 'relation'
      ? {
          one: (value) => ({ value: value ?? null }),
          many: (rows, make) => ({ nodes: rows.map(make) }),
          count: neverCounted,
        }
      : {
          one: (value) => value ?? null,
          many: (rows, make) => rows.map(make),
          count: neverCounted,
        },
}

function neverCounted(): never {
  throw new InvariantError('GraphQL selects entries, not their number')
}
