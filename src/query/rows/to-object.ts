// Turns entries into plain objects for seeding, resolvers and `cms.entries()`.

import { buildTable } from '../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ReadPlan } from '../../plan/read-plan.ts'
import type { SqlValue } from '../../storage/sql/statement.ts'
import { type EntryRow, getId, getVersion } from './entry.ts'
import { foldPopulated, type PlanFold } from './fold-populated.ts'
import { createJsonPick } from './pick-json.ts'

export type EntryObject = Record<string, unknown> & { readonly id: number }

const decodes = buildTable(({ decode }) => decode)

/** The key of highlighted texts; attributes of the file cannot begin with an underscore. */
export const HIGHLIGHT = '_highlight'

export function decodeValue(attribute: ScalarAttribute, value: SqlValue | undefined): unknown {
  return value === null || value === undefined ? null : decodes[attribute.type](value)
}

export function toObject(plan: ReadPlan, entry: EntryRow): EntryObject {
  return buildMaker(plan)(entry)
}

const makers = new WeakMap<ReadPlan, (entry: EntryRow) => EntryObject>()

function buildMaker(plan: ReadPlan): (entry: EntryRow) => EntryObject {
  let maker = makers.get(plan)
  if (maker === undefined) {
    maker = createMaker(plan, {}, {})
    makers.set(plan, maker)
  }
  return maker
}

function createMaker(plan: ReadPlan, before: object, behind: object): (entry: EntryRow) => EntryObject {
  const { columns } = plan
  // Code can read these by name, but they are not enumerable, so responses and copies leave them out.
  const unlisted = [
    ...[...(plan.unlisted ?? [])].map(({ name }) => name),
    ...plan.populate.filter((field) => field.unlisted === true).map(({ attribute }) => attribute.name),
  ]
  const populated = plan.populate.map(
    (populate) => [populate.attribute.name, foldPopulated(populate, fold)] as const,
  )
  const picks = [...(plan.jsonPaths ?? [])].map(([{ name }, paths]) => [name, createJsonPick(paths)] as const)
  return (entry) => {
    const object: Record<string, unknown> & { id: number } = { ...before, id: getId(entry), ...behind }
    let at = entry.at + 1
    for (const attribute of columns) object[attribute.name] = decodeValue(attribute, entry.row[at++])
    for (const [name, pick] of picks) object[name] = pick(object[name])
    for (const [index, [name, make]] of populated.entries())
      object[name] = make(entry.populated[index] ?? null)
    for (const name of unlisted) Object.defineProperty(object, name, { enumerable: false })
    if (entry.highlights !== undefined) object[HIGHLIGHT] = entry.highlights
    const version = getVersion(plan, entry)
    if (version !== undefined && !('version' in object))
      Object.defineProperty(object, 'version', { value: version, enumerable: false })
    return object
  }
}

const fold: PlanFold<EntryObject, unknown> = {
  entry(plan, role) {
    if (role.kind === 'morph') return createMaker(plan, { __type: role.uid }, {})
    const isOfZone = role.kind === 'component' && role.uid !== undefined
    return createMaker(plan, {}, isOfZone ? { __component: role.uid } : {})
  },
  member: () => ({
    one: (value) => value ?? null,
    many: (rows, make) => rows.map(make),
    count: (count) => ({ count }),
  }),
}
