// Runs compiled reads over one database state, one statement per populated depth. Appearances are counted
// before the next depth is read, because they multiply: 100 articles whose category has 100 articles make
// 10,000.

import type { Highlights, PlanValue, PopulatePlan, ReadPlan } from '../../plan/read-plan.ts'
import { run, runAll, runTogether, type Work } from '../../storage/database.ts'
import { bindValues } from '../../storage/sql/parameter.ts'
import type {
  LevelStatements,
  PopulateStatements,
  ReadStatements,
} from '../../storage/sql/read-statements.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'
import { type EntryRow, getCharacters, getId, type MixedRow, type PopulatedValue } from './entry.ts'
import { highlight } from './highlight.ts'
import { createRequestBudget, type RowBudget } from './request-budget.ts'
import { buildStep, readLevelRows } from './rows-of-level.ts'
import type { CachedTotal } from './total-cache.ts'

const NO_PARENTS: readonly number[] = []
const NO_MEMBERS: PopulatedValue[] = []
const NO_ENTRIES: readonly EntryRow[] = []

interface ReadContext {
  readonly values: readonly PlanValue[]
  readonly budget: RowBudget
}

interface Parents {
  readonly byId: ReadonlyMap<number, EntryRow>
  readonly ids: readonly number[]
}

export function* readEntries(
  compiled: ReadStatements,
  values: readonly PlanValue[],
  budget: RowBudget = createRequestBudget(),
): Work<EntryRow[]> {
  const rows = yield* run(compiled.rows.statement, bindValues(compiled.rows.parameters, values, NO_PARENTS))
  return yield* toList(rows, compiled, { values, budget })
}

/**
 * `kept`: the cached total. `alone`: derives the total from the last page where possible, because an embedded
 * database saves time with each statement.
 */
export function* readCounted(
  compiled: ReadStatements,
  values: readonly PlanValue[],
  budget: RowBudget = createRequestBudget(),
  kept?: CachedTotal,
  alone = false,
): Work<{ readonly entries: readonly EntryRow[]; readonly total: number }> {
  if (kept?.known !== undefined)
    return { entries: yield* readEntries(compiled, values, budget), total: kept.known }
  if (alone) {
    const entries = yield* readEntries(compiled, values, budget)
    const total = shownToTheEnd(compiled.plan, values, entries.length) ?? (yield* readCount(compiled, values))
    kept?.keep(total)
    return { entries, total }
  }
  const [rows = [], counted = []] = yield* runAll([
    buildStep(compiled.rows, values, NO_PARENTS),
    buildStep(compiled.count, values, NO_PARENTS),
  ])
  const total = Number(counted[0]?.[0] ?? 0)
  kept?.keep(total)
  return { entries: yield* toList(rows, compiled, { values, budget }), total }
}

/** Returns undefined if the page does not reach the end of the list. */
function shownToTheEnd(
  { limit, offset, keyset }: ReadPlan,
  values: readonly PlanValue[],
  shown: number,
): number | undefined {
  if (keyset !== undefined) return undefined
  const size = limit === undefined ? -1 : Number(values[limit])
  const before = offset === undefined ? 0 : Number(values[offset])
  if (size >= 0 && shown >= size) return undefined
  // An empty page beyond the end does not tell the total.
  return shown > 0 || before === 0 ? before + shown : undefined
}

function* readCount({ count }: ReadStatements, values: readonly PlanValue[]): Work<number> {
  const [row] = yield* run(count.statement, bindValues(count.parameters, values, NO_PARENTS))
  return Number(row?.[0] ?? 0)
}

function* toList(
  rows: readonly SqlRow[],
  { plan, populate }: ReadStatements,
  reading: ReadContext,
): Work<EntryRow[]> {
  let characters = 0
  const entries: EntryRow[] = new Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as SqlRow
    characters += getCharacters(row)
    entries[index] = toEntry(row, 0, 1, populate)
  }
  reading.budget.add(rows.length, rows.length, characters)
  if (plan.highlights !== undefined) highlightEntries(entries, plan.highlights, reading.values)
  yield* readMembers(entries, populate, reading)
  return entries
}

/** The texts are the last columns. */
function highlightEntries(
  entries: readonly EntryRow[],
  { attributes, terms }: Highlights,
  values: readonly PlanValue[],
): void {
  const sought = terms.map((term) => String(values[term]))
  for (const entry of entries) {
    const texts = entry.row.slice(-attributes.length)
    const highlights = attributes.flatMap(({ name }, index) => {
      const text = texts[index]
      const marked = typeof text === 'string' ? highlight(text, sought) : undefined
      return marked === undefined ? [] : [[name, marked] as const]
    })
    entry.highlights = Object.fromEntries(highlights)
  }
}

function toEntry(row: SqlRow, at: number, shown: number, populate: readonly PopulateStatements[]): EntryRow {
  const populated: PopulatedValue[] =
    populate.length === 0 ? NO_MEMBERS : new Array(populate.length).fill(null)
  return { row, at, populated, shown, written: undefined, highlights: undefined }
}

function* readMembers(
  entries: readonly EntryRow[],
  populate: readonly PopulateStatements[],
  reading: ReadContext,
): Work<void> {
  if (populate.length === 0 || entries.length === 0) return
  const byId = new Map<number, EntryRow>()
  for (const entry of entries) byId.set(getId(entry), entry)
  const parents: Parents = { byId, ids: [...byId.keys()] }
  const works = populate.map((field, place) => readMember(field, place, parents, reading))
  const [only] = works
  if (works.length === 1 && only !== undefined) yield* only
  else yield* runTogether(works)
}

function* readMember(
  compiled: PopulateStatements,
  place: number,
  parents: Parents,
  reading: ReadContext,
): Work<void> {
  const { populate } = compiled
  if (populate.kind === 'zone' || populate.kind === 'morph') {
    yield* readMixed(compiled, populate, place, parents, reading)
    return
  }
  const [level] = compiled.levels
  if (level === undefined) return
  const counts = populate.kind === 'relation' && populate.count
  const { rows, children } = yield* readLevel(level, 1, parents, reading, counts)
  const none = populate.many ? NO_ENTRIES : null
  for (const parent of parents.byId.values()) parent.populated[place] = none
  // The rows of one parent are adjacent.
  for (let start = 0; start < rows.length; ) {
    const parent = rows[start]?.[0]
    let end = start + 1
    while (end < rows.length && rows[end]?.[0] === parent) end += 1
    const value = populate.many ? children.slice(start, end) : (children[start] ?? null)
    const entry = parents.byId.get(Number(parent))
    if (entry !== undefined) entry.populated[place] = value
    start = end
  }
}

/** Positions and rows of several tables, by the id of the parent. */
type PlacedRows = Map<number, { place: number; mixed: MixedRow }[]>

function* readPlaced(
  into: PlacedRows,
  compiledLevel: LevelStatements,
  level: number,
  parents: Parents,
  reading: ReadContext,
): Work<void> {
  const { rows, children } = yield* readLevel(compiledLevel, 2, parents, reading, false)
  for (const [index, entry] of children.entries()) {
    const row = rows[index]
    if (row !== undefined) push(into, Number(row[0]), { place: Number(row[1]), mixed: { level, entry } })
  }
}

function* readMixed(
  compiled: PopulateStatements,
  populate: Extract<PopulatePlan, { kind: 'zone' | 'morph' }>,
  memberPlace: number,
  parents: Parents,
  reading: ReadContext,
): Work<void> {
  const byParent: PlacedRows = new Map()
  const present = yield* presentTypes(compiled, parents.ids, reading)
  const works = compiled.levels.flatMap((compiledLevel, level) => {
    const type = populate.kind === 'morph' ? populate.plans[level]?.type.uid : undefined
    const isNeeded =
      type === undefined || present?.has(type) !== false || compiledLevel.plan.condition !== undefined
    return isNeeded ? [readPlaced(byParent, compiledLevel, level, parents, reading)] : []
  })
  yield* runTogether(works)
  for (const [id, entry] of parents.byId) {
    const placed = byParent.get(id) ?? []
    const ordered = placed.sort((a, b) => a.place - b.place || a.mixed.level - b.mixed.level)
    entry.populated[memberPlace] = ordered.map(({ mixed }) => mixed)
  }
}

function* presentTypes(
  { present }: PopulateStatements,
  ids: readonly number[],
  reading: ReadContext,
): Work<ReadonlySet<string> | undefined> {
  if (present === undefined) return undefined
  const rows = yield* run(present.statement, bindValues(present.parameters, reading.values, ids))
  return new Set(rows.map((row) => String(row[0])))
}

function* readLevel(
  level: LevelStatements,
  at: number,
  parents: Parents,
  reading: ReadContext,
  counts: boolean,
): Work<{ rows: readonly SqlRow[]; children: readonly EntryRow[] }> {
  const most = reading.budget.rowsLeft(counts ? 1 : leastShown(parents))
  const rows = yield* readLevelRows(level, reading.values, parents.ids, most)
  const children: EntryRow[] = new Array(rows.length)
  const known = new Map<unknown, EntryRow>()
  let shown = 0
  let characters = 0
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as SqlRow
    const times = counts ? 1 : (parents.byId.get(Number(row[0]))?.shown ?? 1)
    shown += times
    characters += times * getCharacters(row)
    let child = known.get(row[at])
    if (child === undefined) {
      child = toEntry(row, at, times, level.populate)
      known.set(row[at], child)
    } else {
      child.shown += times
    }
    children[index] = child
  }
  reading.budget.add(rows.length, shown, characters)
  yield* readMembers([...known.values()], level.populate, reading)
  return { rows, children }
}

function leastShown({ byId }: Parents): number {
  let least = Number.POSITIVE_INFINITY
  for (const { shown } of byId.values()) if (shown < least) least = shown
  return least
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
