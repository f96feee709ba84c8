// Entries of a list that is read again and again. A write to one entry ends the kept answers of all lists of its content-type,
// but most of what they show is as it was: a list then asks the database only which entries it shows, and takes those that have
// not changed from its last reading, with the texts that its encoder made of them.

import { run } from '../databases/database.ts'
import { isContentType } from '../plan/find-attribute.ts'
import type { PlanValue, ReadPlan } from '../plan/read-plan.ts'
import type { CompiledRead } from '../sql/compiled-read.ts'
import { bindValues } from '../sql/parameter.ts'
import type { SqlRow } from '../sql/statement.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { cacheBudgets } from '../util/cache-budgets.ts'
import type { ContentVersions } from './content-versions.ts'
import type { RowBudget } from './rows/answer-budget.ts'
import { charactersOf, type EntryRow, idOf } from './rows/entry.ts'
import { type ReadPage, readEntries } from './rows/read-entries.ts'
import type { Transactions } from './unit-of-work.ts'

export interface KeptPagesParts {
  readonly transactions: Pick<Transactions, 'busy'>
  readonly versions: Pick<ContentVersions, 'ofTypes' | 'ofEntry'>
  compiledFor(plan: ReadPlan): CompiledRead
}

interface KeptEntry {
  readonly entry: EntryRow
  readonly version: number
  readonly characters: number
}

interface KeptPage {
  readonly entries: ReadonlyMap<number, KeptEntry>
}

/** Entries of a page that is kept: the texts of a longer one would take memory that its answer does not. */
const MOST_ENTRIES = 250
/** Bytes of an entry beside its characters, which are there as values and as text. */
const ENTRY = 300

export function createKeptPages({ transactions, versions, compiledFor }: KeptPagesParts) {
  const pages = new BoundedCache<KeptPage>({ name: 'pages', budget: cacheBudgets.pages })
  let lists = 0

  /** Undefined for a list whose entries show more than their own values, the changes of which are not counted entry by entry. */
  return function keptPage(plan: ReadPlan): ReadPage | undefined {
    const { holder } = plan
    if (!isContentType(holder) || !showsOwnValues(plan)) return undefined
    const { uid } = holder
    const types = [uid]
    lists += 1
    const list = lists
    let compiledFrom: CompiledRead | undefined
    let compiledIds: CompiledRead | undefined

    /** The same list without anything but ids. */
    function idsOf(compiled: CompiledRead): CompiledRead {
      if (compiledIds === undefined || compiledFrom !== compiled) {
        compiledFrom = compiled
        compiledIds = compiledFor({ ...compiled.plan, columns: [] })
      }
      return compiledIds
    }

    function keep(key: string, entries: readonly EntryRow[]): void {
      if (entries.length > MOST_ENTRIES) return
      const kept = new Map<number, KeptEntry>()
      let weight = 0
      for (const entry of entries) {
        const version = versions.ofEntry(uid, idOf(entry))
        if (version === undefined) return
        const characters = charactersOf(entry.row)
        weight += ENTRY + 2 * characters
        // It will be shown again: encoders then keep its text.
        entry.shown = 2
        kept.set(idOf(entry), { entry, version, characters })
      }
      pages.set(key, { entries: kept }, weight)
    }

    /** Undefined unless all of these entries are kept and have not changed. */
    function unchanged({ entries }: KeptPage, rows: readonly SqlRow[], budget: RowBudget) {
      const found: EntryRow[] = new Array(rows.length)
      let characters = 0
      for (let index = 0; index < rows.length; index++) {
        const id = Number(rows[index]?.[0])
        const kept = entries.get(id)
        if (kept === undefined || kept.version !== versions.ofEntry(uid, id)) return undefined
        characters += kept.characters
        found[index] = kept.entry
      }
      budget.add(found.length, found.length, characters)
      return found
    }

    return function* readPage(compiled, values, budget) {
      if (compiled.lookups.length > 0) return yield* readEntries(compiled, values, budget)
      const key = `${list} ${valueAt(values, plan.limit)} ${valueAt(values, plan.offset)}`
      const kept = pages.get(key)
      if (kept !== undefined) {
        const { rows } = idsOf(compiled)
        const ids = yield* run(rows.statement, bindValues(rows.parameters, values, []))
        const found = transactions.busy ? undefined : unchanged(kept, ids, budget)
        if (found !== undefined) return found
      }
      const before = versions.ofTypes(types)
      const entries = yield* readEntries(compiled, values, budget)
      // While a commit may have happened that is not counted yet, nobody knows of which version these entries are.
      if (!transactions.busy && versions.ofTypes(types) === before) keep(key, entries)
      return entries
    }
  }
}

function valueAt(values: readonly PlanValue[], slot: number | undefined): string {
  return slot === undefined ? '' : String(values[slot])
}

/** Columns of its own table alone: members and localizations change without it, and what is computed may look at them. */
function showsOwnValues({ columns, populate, locales, keyset }: ReadPlan): boolean {
  return (
    populate.length === 0 &&
    locales === undefined &&
    keyset === undefined &&
    columns.every(({ computed }) => computed === undefined)
  )
}
