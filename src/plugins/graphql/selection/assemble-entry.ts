// Turns rows into the values that resolvers pass to each other, with one function per plan.

import { InvariantError } from '../../../lib/errors/invariant.ts'
import type { ReadPlan } from '../../../plan/read-plan.ts'
import { type EntryRow, getId, getVersion } from '../../../query/rows/entry.ts'
import { foldPopulated, type PlanFold } from '../../../query/rows/fold-populated.ts'
import { decodeValue, HIGHLIGHT } from '../../../query/rows/to-object.ts'
import { finishLeaf } from '../fields/finish-leaf.ts'
import { getObjectName } from '../graphql-names.ts'
import { attachPopulated, EntryResponse, EntryValue, FieldFault, ListResponse } from './entry-value.ts'

export type AssembleEntry = (entry: EntryRow) => EntryValue

/**
 * `finished`: leaf values are in their final form, or an error if their type cannot represent them. Otherwise
 * they are as users' code and the schema's serializers expect them.
 */
export function createAssembler(plan: ReadPlan, finished = false): AssembleEntry {
  return buildAssembler(plan, finished ? finishedFold : valueFold, finished)
}

function buildAssembler(
  plan: ReadPlan,
  fold: PlanFold<EntryValue, unknown>,
  finished: boolean,
  mark?: readonly [name: string, value: string],
): AssembleEntry {
  const columns = plan.columns.map((attribute) => ({
    name: attribute.name,
    read: finished
      ? finishLeaf(attribute, getObjectName(plan.schema))
      : (value: EntryRow['row'][number] | undefined) => decodeValue(attribute, value),
  }))
  const populated = plan.populate.map((populate) => [populate.key, foldPopulated(populate, fold)] as const)
  const faults = Object.fromEntries(
    [...(plan.faults ?? [])].map(([key, fault]) => [key, new FieldFault(fault)]),
  )
  return (entry) => {
    const id = getId(entry)
    const value = new EntryValue(finished ? String(id) : id) as EntryValue & Record<string, unknown>
    if (mark !== undefined) value[mark[0]] = mark[1]
    let at = entry.at + 1
    for (const { name, read } of columns) value[name] = read(entry.row[at++])
    if (plan.revision !== undefined) value['version'] = getVersion(plan, entry)
    if (plan.highlights !== undefined) value[HIGHLIGHT] = entry.highlights
    if (populated.length > 0 || plan.faults !== undefined) {
      const ahead: Record<string, unknown> = Object.assign(Object.create(null), faults)
      for (let index = 0; index < populated.length; index++) {
        const field = populated[index]
        if (field !== undefined) ahead[field[0]] = field[1](entry.populated[index] ?? null)
      }
      attachPopulated(value, ahead)
    }
    return value
  }
}

/** Populated fields are never undefined, which would mean that the value was not read. */
function createFold(finished: boolean): PlanFold<EntryValue, unknown> {
  const fold: PlanFold<EntryValue, unknown> = {
    entry(plan, role) {
      if (role.kind === 'morph') return buildAssembler(plan, fold, finished, ['__type', role.uid])
      const isOfZone = role.kind === 'component' && role.uid !== undefined
      return buildAssembler(plan, fold, finished, isOfZone ? ['__component', role.uid] : undefined)
    },
    member: ({ kind }) =>
      kind === 'relation'
        ? {
            one: (value) => new EntryResponse(value ?? null),
            many: (rows, make) => new ListResponse(rows.map(make)),
            count: neverCounted,
          }
        : {
            one: (value) => value ?? null,
            many: (rows, make) => rows.map(make),
            count: neverCounted,
          },
  }
  return fold
}

const valueFold = createFold(false)
const finishedFold = createFold(true)

function neverCounted(): never {
  throw new InvariantError('GraphQL selects entries, not their number')
}
