// Compiled reads -> entries: one statement for a list, one for its total, one for each populated level, all within
// one run over one state of the database. What does not need each other is asked at once: a list and its total, and
// all members of one depth.

import { run, runAll, type Step, together, type Work } from '../databases/database.ts'
import type { PlanValue, PopulatePlan } from '../plan/read-plan.ts'
import {
  type BoundStatement,
  type CompiledLevel,
  type CompiledPopulate,
  type CompiledRead,
  FEW_MEMBERS,
} from '../sql/compile-read.ts'
import { bindValues } from '../sql/parameter.ts'
import type { SqlRow } from '../sql/statement.ts'
import { type EntryRow, idOf, type MemberValue, type MixedRow } from './entry.ts'
import { createRowTally, type RowTally } from './row-tally.ts'

const NO_PARENTS: readonly number[] = []
const NO_MEMBERS: MemberValue[] = []
const NO_ENTRIES: readonly EntryRow[] = []

/** What one reading carries through its levels. */
interface Reading {
  readonly values: readonly PlanValue[]
  readonly tally: RowTally
}

export function* readEntries(
  compiled: CompiledRead,
  values: readonly PlanValue[],
  tally: RowTally = createRowTally(),
): Work<EntryRow[]> {
  const reading: Reading = { values, tally }
  const rows = yield* runBound(compiled.rows, reading, NO_PARENTS)
  return yield* toEntries(rows, 0, compiled.populate, reading)
}

/** The entries of a page, and how many match without the page. */
export function* readCounted(
  compiled: CompiledRead,
  values: readonly PlanValue[],
  tally: RowTally = createRowTally(),
): Work<{ readonly entries: EntryRow[]; readonly total: number }> {
  const [rows = [], counted = []] = yield* runAll([
    stepOf(compiled.rows, values, NO_PARENTS),
    stepOf(compiled.count, values, NO_PARENTS),
  ])
  const total = Number(counted[0]?.[0] ?? 0)
  tally.add(rows.length)
  const reading: Reading = { values, tally }
  return { entries: yield* toEntries(rows, 0, compiled.populate, reading), total }
}

function stepOf(bound: BoundStatement, values: readonly PlanValue[], parents: readonly number[]): Step {
  return { statement: bound.statement, values: bindValues(bound.parameters, values, parents) }
}

function* runBound(
  bound: BoundStatement,
  reading: Reading,
  parents: readonly number[],
): Work<readonly SqlRow[]> {
  const rows = yield* run(bound.statement, bindValues(bound.parameters, reading.values, parents))
  reading.tally.add(rows.length)
  return rows
}

function* toEntries(
  rows: readonly SqlRow[],
  at: number,
  populate: readonly CompiledPopulate[],
  reading: Reading,
): Work<EntryRow[]> {
  const entries: EntryRow[] = new Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]
    if (row === undefined) continue
    const members: MemberValue[] = populate.length === 0 ? NO_MEMBERS : new Array(populate.length).fill(null)
    entries[index] = { row, at, members }
  }
  if (populate.length > 0 && entries.length > 0) {
    const ids = [...new Set(entries.map(idOf))]
    const works = populate.map((member, place) => readMember(member, place, entries, ids, reading))
    const [only] = works
    if (works.length === 1 && only !== undefined) yield* only
    else yield* together(works)
  }
  return entries
}

function* readMember(
  compiled: CompiledPopulate,
  /** Among the members of each entry. */
  place: number,
  entries: readonly EntryRow[],
  ids: readonly number[],
  reading: Reading,
): Work<void> {
  const { populate } = compiled
  if (populate.kind === 'zone' || populate.kind === 'morph') {
    yield* readMixed(compiled, populate, place, entries, ids, reading)
    return
  }
  const [level] = compiled.levels
  if (level === undefined) return
  const { rows, children } = yield* readLevel(level, 1, ids, reading)
  const byParent = new Map<number, MemberValue>()
  // The rows of one parent stand together.
  for (let start = 0; start < rows.length; ) {
    const parent = parentOf(rows, start)
    let end = start + 1
    while (end < rows.length && parentOf(rows, end) === parent) end += 1
    byParent.set(parent, populate.many ? children.slice(start, end) : (children[start] ?? null))
    start = end
  }
  const none = populate.many ? NO_ENTRIES : null
  for (const entry of entries) entry.members[place] = byParent.get(idOf(entry)) ?? none
}

function parentOf(rows: readonly SqlRow[], index: number): number {
  return Number(rows[index]?.[0])
}

/** Rows of several tables, put back in their common order. */
function* readMixed(
  compiled: CompiledPopulate,
  populate: Extract<PopulatePlan, { kind: 'zone' | 'morph' }>,
  memberPlace: number,
  entries: readonly EntryRow[],
  ids: readonly number[],
  reading: Reading,
): Work<void> {
  const byParent = new Map<number, { place: number; mixed: MixedRow }[]>()
  const present = yield* presentTypes(compiled, ids, reading)
  function* readOne(compiledLevel: CompiledLevel, level: number): Work<void> {
    const { rows, children } = yield* readLevel(compiledLevel, 2, ids, reading)
    for (const [index, entry] of children.entries()) {
      const row = rows[index]
      if (row !== undefined)
        push(byParent, Number(row[0]), { place: Number(row[1]), mixed: { level, entry } })
    }
  }
  const works = compiled.levels.flatMap((compiledLevel, level) => {
    const type = populate.kind === 'morph' ? populate.plans[level]?.type.uid : undefined
    return type !== undefined && present !== undefined && !present.has(type)
      ? []
      : [readOne(compiledLevel, level)]
  })
  yield* together(works)
  for (const entry of entries) {
    const placed = byParent.get(idOf(entry)) ?? []
    const ordered = placed.sort((a, b) => a.place - b.place || a.mixed.level - b.mixed.level)
    entry.members[memberPlace] = ordered.map(({ mixed }) => mixed)
  }
}

function* presentTypes(
  { present }: CompiledPopulate,
  ids: readonly number[],
  reading: Reading,
): Work<ReadonlySet<string> | undefined> {
  if (present === undefined) return undefined
  const rows = yield* runBound(present, reading, ids)
  return new Set(rows.map((row) => String(row[0])))
}

function* readLevel(
  level: CompiledLevel,
  at: number,
  ids: readonly number[],
  reading: Reading,
): Work<{ rows: readonly SqlRow[]; children: EntryRow[] }> {
  const rows = (yield* fewMembers(level, reading, ids)) ?? (yield* runBound(level.rows, reading, ids))
  const children = yield* toEntries(rows, at, level.populate, reading)
  return { rows, children }
}

/** The pages of few members, cut here; undefined where they are many, or have no pages. */
function* fewMembers(
  { few, plan }: CompiledLevel,
  reading: Reading,
  ids: readonly number[],
): Work<readonly SqlRow[] | undefined> {
  if (few === undefined || plan.offset === undefined || plan.limit === undefined) return undefined
  const rows = yield* run(few.statement, bindValues(few.parameters, reading.values, ids))
  if (rows.length > FEW_MEMBERS) return undefined
  const start = Number(reading.values[plan.offset])
  const limit = Number(reading.values[plan.limit])
  const end = limit < 0 ? Number.POSITIVE_INFINITY : start + limit
  let parent: SqlRow[number] | undefined
  let number = 0
  const page = rows.filter((row) => {
    number = row[0] === parent ? number + 1 : 0
    parent = row[0]
    return number >= start && number < end
  })
  reading.tally.add(page.length)
  return page
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
