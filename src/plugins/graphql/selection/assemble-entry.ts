// Rows -> the values that resolvers hand to each other. One maker a plan, made when the plan is.

import { type EntryRow, idOf, type MemberValue, type MixedRow } from '../../../content/entry.ts'
import { decodeValue } from '../../../content/to-object.ts'
import type { PopulatePlan, ReadPlan } from '../../../plan/read-plan.ts'
import { attachMembers, type EntryValue, MemberFault } from './entry-value.ts'

export type AssembleEntry = (entry: EntryRow) => EntryValue

export function createAssembler(plan: ReadPlan, mark?: Readonly<Record<string, string>>): AssembleEntry {
  const { columns } = plan
  const members = plan.populate.map((populate) => [populate.key, createMember(populate)] as const)
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

/** Never undefined: that would say it was not read. */
function createMember(populate: PopulatePlan): (value: MemberValue) => unknown {
  switch (populate.kind) {
    case 'relation': {
      const assemble = createAssembler(populate.plan)
      if (populate.many) return (value) => ({ nodes: (value as readonly EntryRow[]).map(assemble) })
      return (value) => ({ value: value === null ? null : assemble(value as EntryRow) })
    }
    case 'component': {
      const assemble = createAssembler(populate.plan)
      if (populate.many) return (value) => (value as readonly EntryRow[]).map(assemble)
      return (value) => (value === null ? null : assemble(value as EntryRow))
    }
    case 'zone': {
      const assemble = populate.plans.map(({ component, plan }) =>
        createAssembler(plan, { __component: component.uid }),
      )
      return (value) => (value as readonly MixedRow[]).map((row) => assemble[row.level]?.(row.entry))
    }
    case 'morph': {
      const assemble = populate.plans.map(({ type, plan }) => createAssembler(plan, { __type: type.uid }))
      return (value) => {
        const entries = (value as readonly MixedRow[]).map((row) => assemble[row.level]?.(row.entry))
        return populate.many ? entries : (entries[0] ?? null)
      }
    }
  }
}
