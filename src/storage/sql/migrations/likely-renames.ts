// Finds likely renames without `renamedFrom`: a hidden and a new attribute or type of one kind. It only
// proposes them.

import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { Column, Table } from '../layout.ts'
import type { LayoutChange } from './diff-layout.ts'

export interface LikelyRename {
  readonly what: 'attribute' | 'content-type' | 'component'
  /** A uid, or `<uid>.<attribute>`. */
  readonly origin: string
  /** The attribute's old name, or the old uid. */
  readonly from: string
  readonly hidden: number
}

interface Candidate {
  readonly kind: LikelyRename['what']
  readonly origin: string
  readonly name: string
  readonly likeness: string
  readonly table: Table
  readonly index: number
}

export function findLikelyRenames(changes: readonly LayoutChange[]): readonly LikelyRename[] {
  const gone: Candidate[] = []
  const fresh: Candidate[] = []
  for (const [index, change] of changes.entries()) {
    const found = getCandidate(change, index)
    if (found === undefined) continue
    if (change.kind === 'hide-column' || change.kind === 'hide-table') gone.push(found)
    else fresh.push(found)
  }
  const taken = new Set<Candidate>()
  return gone.flatMap((old) => {
    const found = getSuccessor(old, gone, fresh, taken)
    if (found === undefined) return []
    taken.add(found)
    const from = old.kind === 'attribute' ? old.name : old.origin
    return [{ what: old.kind, origin: found.origin, from, hidden: old.index }]
  })
}

function getCandidate(change: LayoutChange, index: number): Candidate | undefined {
  if (change.kind === 'hide-column' || change.kind === 'add-column') {
    const { table, column } = change
    if (column.origin === undefined) return undefined
    const likeness = `${table.name}:${column.type}`
    return { kind: 'attribute', origin: column.origin, name: getLast(column.origin), likeness, table, index }
  }
  if (change.kind !== 'hide-table' && change.kind !== 'create-table') return undefined
  const { table } = change
  const { origin } = table
  if (origin === undefined || origin.endsWith('.*')) return undefined
  const references = table.columns.flatMap((column) => column.references ?? [])
  if (references.length > 0) {
    const owner = origin.slice(0, origin.lastIndexOf('.'))
    const likeness = `${owner}:${references.sort().join()}`
    return { kind: 'attribute', origin, name: getLast(origin), likeness, table, index }
  }
  const kind = origin.includes('::') ? 'content-type' : 'component'
  return { kind, origin, name: getLast(origin), likeness: kind, table, index }
}

/** Returns the only similar candidate, or of several the one with the nearest name. */
function getSuccessor(
  old: Candidate,
  gone: readonly Candidate[],
  fresh: readonly Candidate[],
  taken: ReadonlySet<Candidate>,
): Candidate | undefined {
  const alike = fresh.filter((one) => isAlike(old, one) && !taken.has(one))
  const near = didYouMean(
    old.name,
    alike.map(({ name }) => name),
  )
  const rivals = gone.filter((one) => isAlike(old, one))
  if (near === undefined) return alike.length === 1 && rivals.length === 1 ? alike[0] : undefined
  return alike.find(({ name }) => name === near)
}

function isAlike(a: Candidate, b: Candidate): boolean {
  if (a.kind !== b.kind || a.likeness !== b.likeness) return false
  return a.kind === 'attribute' || sharesAttributes(a.table, b.table)
}

function sharesAttributes(a: Table, b: Table): boolean {
  const own = ({ origin }: Column): boolean => origin !== undefined
  const buildKey = ({ name, type }: Column): string => `${name}:${type}`
  const left = new Set(a.columns.filter(own).map(buildKey))
  const right = b.columns.filter(own).map(buildKey)
  const shared = right.filter((key) => left.has(key)).length
  return shared > 0 && shared * 2 >= Math.max(left.size, right.length)
}

function getLast(origin: string): string {
  return origin.slice(origin.lastIndexOf('.') + 1)
}
