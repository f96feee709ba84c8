// Finds cached plans that scan a large content-type, when the console asks, and the indexes that would help.

import type { ContentType, Schema } from '../model/content-type.ts'
import type { Statistics } from '../plan/price.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import type { Dialect } from '../storage/sql/dialect.ts'
import { type DeclaredIndex, getScan, type Scan } from '../storage/sql/missing-indexes.ts'

interface ScanOptions {
  readonly layout: ModelLayout
  readonly dialect: Dialect
  readonly statistics: Statistics
  /** `rest.limits.scanWarning`, in entries. */
  readonly maxRows: number
}

export function listScans(plans: readonly ReadPlan[], options: ScanOptions): readonly string[] {
  const { statistics, maxRows } = options
  const isLarge = (schema: Schema): boolean => statistics.getRows(schema) > maxRows
  const found = new Map<string, string>()
  for (const plan of plans) {
    const scan = isLarge(plan.schema) ? getScan(plan, { ...options, isLarge }) : undefined
    if (scan === undefined) continue
    const key = `${plan.schema.collectionName} ${scan.parts.join(', ')}`
    found.set(key, formatMessage(plan.schema, scan, statistics.getRows(plan.schema)))
  }
  return [...found.values()]
}

function formatMessage(schema: Schema, { parts, missing }: Scan, rows: number): string {
  return `a list of ${schema.uid} looks at all of ${rows} entries for ${parts.join(', ')}; ${describeIndexes(missing)}`
}

export function describeIndexes(missing: Scan['missing']): string {
  const byType = new Map<string, string[]>()
  for (const { schema: indexed, index } of missing) {
    const key = (indexed as Partial<ContentType>).sourceKey
    if (key !== undefined) byType.set(key, [...(byType.get(key) ?? []), formatText(index)])
  }
  if (byType.size === 0) return 'no index that the file can declare helps'
  const types = [...byType].map(([key, indexes]) => `${key}: { index: [${indexes.join(', ')}] }`)
  return `declare, beside the indexes that there are: contentTypes: { ${types.join(', ')} }`
}

function formatText(index: DeclaredIndex): string {
  if ('text' in index) return `{ text: [${index.text.join(', ')}] }`
  const [first = '', ...others] = index
  return others.length === 0 ? first : `[${index.join(', ')}]`
}
