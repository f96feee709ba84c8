// Counts entries and links, to estimate costs. A server is not awaited: until its first reply, a table counts
// as empty.

import { performance } from 'node:perf_hooks'
import type { FanOut, Statistics } from '../plan/price.ts'
import type { PopulatePlan } from '../plan/read-plan.ts'
import type { Database } from '../storage/database.ts'
import { run } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { compileFanOut, compileRowCount, MAX_SAMPLE_ROWS } from '../storage/sql/compile-statistics.ts'
import type { SqlRow, Statement } from '../storage/sql/statement.ts'

/** After it, plans that rest on counts are made again. */
const VERSION_MS = 5_000
const NO_LINKS: FanOut = { links: 0, most: 0 }
const FEW_LOCALES: FanOut = { links: 0, most: 5 }

interface CachedCount<T> {
  value: T
  /** By `performance.now()`. */
  until: number
}

interface CachedStatistics extends Statistics {
  readonly version: number
}

export function createStatistics(layout: ModelLayout, database: Database): CachedStatistics {
  const { dialect } = database
  const holds = dialect.statisticsLifetimeMs
  const rows = new Map<string, CachedCount<number>>()
  const fanOuts = new Map<PopulatePlan['attribute'], CachedCount<FanOut>>()
  /** How many counts arrived after the call that needed them had returned. */
  let arrived = 0

  function ask<K, T>(
    known: Map<K, CachedCount<T>>,
    key: K,
    nothing: T,
    compile: () => Statement,
    read: (row: SqlRow) => T,
  ): T {
    const now = performance.now()
    let found = known.get(key)
    if (found !== undefined && now < found.until) return found.value
    found ??= { value: nothing, until: 0 }
    found.until = now + holds
    known.set(key, found)
    const text = compile()
    const result = database.read(() => run(text, []), { single: true })
    const take = ([row]: readonly SqlRow[]): void => {
      if (row !== undefined && found !== undefined) found.value = read(row)
    }
    // If the server cannot be reached, the requests themselves report it; the last count stays in use.
    if (result instanceof Promise) {
      const arrive = (rows: readonly SqlRow[]): void => {
        take(rows)
        arrived += 1
      }
      void result.then(arrive, () => undefined)
    } else take(result)
    return found.value
  }

  return {
    get version() {
      return Math.floor(performance.now() / VERSION_MS) + arrived
    },
    getRows(schema) {
      const table = schema.collectionName
      return ask(
        rows,
        table,
        0,
        () => compileRowCount(table, dialect),
        ([counted, ids]) => atLeast(Number(counted), Number(ids)),
      )
    },
    getFanOut(attribute) {
      // The `related` of files has no links of its own: it is read from the tables of all media that show the files.
      if (attribute.kind === 'relation' && attribute.shownBy !== undefined) return NO_LINKS
      // There are few locales, and no table to count them in.
      if (attribute.kind === 'relation' && attribute.sameDocument !== undefined) return FEW_LOCALES
      return ask(
        fanOuts,
        attribute,
        NO_LINKS,
        () => compileFanOut(attribute, layout, dialect),
        ([counted, most, ids]) => ({ links: atLeast(Number(counted), Number(ids)), most: Number(most) }),
      )
    },
  }
}

/** Above SAMPLE rows the span of ids is the estimate, but never less than the rows that were counted. */
function atLeast(counted: number, ids: number): number {
  return counted > MAX_SAMPLE_ROWS ? Math.max(counted, ids) : counted
}
