// Warns of questions that look at all entries of a large content-type, with the index to declare. Each is told once for each
// generation, after the prices that are kept anyway; nothing is asked of the database for it.

import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Statistics } from '../plan/price.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import type { CompiledRead } from '../sql/compiled-read.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type DeclaredIndex, type Scan, scannedHolders, scanOf } from '../sql/missing-indexes.ts'

export interface ScanLimit {
  /** Entries that a question may look at without a warning. */
  readonly most: number
  warn(message: string): void
}

export interface ScanParts extends ScanLimit {
  readonly layout: ModelLayout
  readonly dialect: Dialect
  readonly statistics: Statistics
}

/** Clients can think of any number of questions. */
const MOST_WARNINGS = 100

/** Returns what is called with each list that is read; `compiled` is the same object for questions of one shape. */
export function createScanWarnings(parts: ScanParts): (plan: ReadPlan, compiled: CompiledRead) => void {
  const { statistics, most, warn } = parts
  /** What decides whether a shape is warned of; nothing once it is known. */
  const watched = new WeakMap<CompiledRead, readonly AttributeHolder[]>()
  const said = new Set<string>()
  const isLarge = (holder: AttributeHolder): boolean => statistics.rowsOf(holder) > most

  function say(plan: ReadPlan, scan: Scan): void {
    const key = `${plan.holder.collectionName} ${scan.parts.join(', ')}`
    if (said.size >= MOST_WARNINGS || said.has(key)) return
    said.add(key)
    warn(messageOf(plan.holder, scan, statistics.rowsOf(plan.holder)))
    if (said.size === MOST_WARNINGS)
      warn(
        `${MOST_WARNINGS} kinds of lists that look at all entries were told; others are not, until the next start or reload (rest.limits.scanWarning)`,
      )
  }

  return (plan, compiled) => {
    let holders = watched.get(compiled)
    if (holders === undefined) {
      holders = scannedHolders(plan)
      watched.set(compiled, holders)
    }
    if (!holders.some(isLarge)) return
    watched.set(compiled, [])
    const scan = scanOf(plan, { ...parts, isLarge })
    if (scan !== undefined) say(plan, scan)
  }
}

function messageOf(holder: AttributeHolder, { parts, missing }: Scan, rows: number): string {
  const what = `a list of ${holder.uid} looks at all of ${rows} entries for ${parts.join(', ')} (rest.limits.scanWarning)`
  const byType = new Map<string, string[]>()
  for (const { holder: indexed, index } of missing) {
    const key = (indexed as Partial<ContentType>).sourceKey
    if (key !== undefined) byType.set(key, [...(byType.get(key) ?? []), textOf(index)])
  }
  if (byType.size === 0) return `${what}; no index that the file can declare helps`
  const types = [...byType].map(([key, indexes]) => `${key}: { index: [${indexes.join(', ')}] }`)
  return `${what}; declare, beside the indexes that there are: contentTypes: { ${types.join(', ')} }`
}

function textOf(index: DeclaredIndex): string {
  if ('text' in index) return `{ text: [${index.text.join(', ')}] }`
  const [first = '', ...others] = index
  return others.length === 0 ? first : `[${index.join(', ')}]`
}
