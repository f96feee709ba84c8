// Compiled reads -> entries: one statement for a list, one for its total, one for each populated level, all within
// one run over one state of the database.

import { run, type Work } from '../databases/database.ts'
import type { PlanValue, PopulatePlan } from '../plan/read-plan.ts'
import type { BoundStatement, CompiledLevel, CompiledPopulate, CompiledRead } from '../sql/compile-read.ts'
import { bindValues } from '../sql/parameter.ts'
import type { SqlRow } from '../sql/statement.ts'
import { type EntryRow, idOf, type MemberValue, type MixedRow } from './entry.ts'

const NO_PARENTS: readonly number[] = []
const NO_MEMBERS: MemberValue[] = []

export function* readEntries(compiled: CompiledRead, values: readonly PlanValue[]): Work<EntryRow[]> {
  const rows = yield* runBound(compiled.rows, values, NO_PARENTS)
  return yield* toEntries(rows, 0, compiled.populate, values)
}

export function* readTotal(compiled: CompiledRead, values: readonly PlanValue[]): Work<number> {
  const rows = yield* runBound(compiled.count, values, NO_PARENTS)
  return Number(rows[0]?.[0] ?? 0)
}

function* runBound(
  bound: BoundStatement,
  values: readonly PlanValue[],
  parents: readonly number[],
): Work<readonly SqlRow[]> {
  return yield* run(bound.statement, bindValues(bound.parameters, values, parents))
}

function* toEntries(
  rows: readonly SqlRow[],
  at: number,
  populate: readonly CompiledPopulate[],
  values: readonly PlanValue[],
): Work<EntryRow[]> {
  const entries: EntryRow[] = new Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]
    if (row !== undefined) entries[index] = { row, at, members: populate.length === 0 ? NO_MEMBERS : [] }
  }
  if (populate.length > 0 && entries.length > 0) {
    const ids = [...new Set(entries.map(idOf))]
    for (const member of populate) yield* readMember(member, entries, ids, values)
  }
  return entries
}

function* readMember(
  compiled: CompiledPopulate,
  entries: readonly EntryRow[],
  ids: readonly number[],
  values: readonly PlanValue[],
): Work<void> {
  const { populate } = compiled
  if (populate.kind === 'zone' || populate.kind === 'morph') {
    yield* readMixed(compiled, populate, entries, ids, values)
    return
  }
  const [level] = compiled.levels
  if (level === undefined) return
  const { rows, children } = yield* readLevel(level, 1, ids, values)
  const byParent = new Map<number, EntryRow[]>()
  for (const [index, child] of children.entries()) {
    const row = rows[index]
    if (row !== undefined) push(byParent, Number(row[0]), child)
  }
  for (const entry of entries) {
    const own = byParent.get(idOf(entry))
    entry.members.push(populate.many ? (own ?? []) : (own?.[0] ?? null))
  }
}

/** Rows of several tables, put back in their common order. */
function* readMixed(
  compiled: CompiledPopulate,
  populate: Extract<PopulatePlan, { kind: 'zone' | 'morph' }>,
  entries: readonly EntryRow[],
  ids: readonly number[],
  values: readonly PlanValue[],
): Work<void> {
  const byParent = new Map<number, { place: number; mixed: MixedRow }[]>()
  const present = yield* presentTypes(compiled, ids, values)
  for (const [level, compiledLevel] of compiled.levels.entries()) {
    const type = populate.kind === 'morph' ? populate.plans[level]?.type.uid : undefined
    if (type !== undefined && !present.has(type)) continue
    const { rows, children } = yield* readLevel(compiledLevel, 2, ids, values)
    for (const [index, entry] of children.entries()) {
      const row = rows[index]
      if (row !== undefined)
        push(byParent, Number(row[0]), { place: Number(row[1]), mixed: { level, entry } })
    }
  }
  for (const entry of entries) {
    const placed = byParent.get(idOf(entry)) ?? []
    entry.members.push(placed.sort((a, b) => a.place - b.place).map(({ mixed }) => mixed))
  }
}

function* presentTypes(
  { present }: CompiledPopulate,
  ids: readonly number[],
  values: readonly PlanValue[],
): Work<ReadonlySet<string>> {
  if (present === undefined) return new Set()
  const rows = yield* runBound(present, values, ids)
  return new Set(rows.map((row) => String(row[0])))
}

function* readLevel(
  level: Pick<CompiledLevel, 'rows' | 'populate'>,
  at: number,
  ids: readonly number[],
  values: readonly PlanValue[],
): Work<{ rows: readonly SqlRow[]; children: EntryRow[] }> {
  const rows = yield* runBound(level.rows, values, ids)
  const children = yield* toEntries(rows, at, level.populate, values)
  return { rows, children }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
