// The indexes that a list would use, of those that are created when they are first asked for (decision 0255).

import { holderBehind } from '../model/behind-attribute.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import type { Condition, ReadPlan, SortKey } from '../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Index } from './layout.ts'

export interface LateIndex {
  readonly holder: AttributeHolder
  readonly index: Index
}

export function lateIndexesOf(
  { holder, condition, sort }: ReadPlan,
  layout: ModelLayout,
): readonly LateIndex[] {
  const found = new Map<Index, LateIndex>()

  function add(of: AttributeHolder, column: string): void {
    const indexes = layout.tables.get(of.collectionName)?.indexes ?? []
    const index = indexes.find(({ late, columns }) => late === true && columns[0] === column)
    if (index !== undefined) found.set(index, { holder: of, index })
  }

  function visit(of: AttributeHolder, part: Condition): void {
    switch (part.kind) {
      case 'and':
      case 'or':
        for (const one of part.conditions) visit(of, one)
        return
      case 'compare':
        // What is published is no narrower than everything, and texts of numbers have no order of theirs.
        if (!part.operator.negated && !part.operator.asText) add(of, part.attribute.column)
        return
      case 'related': {
        const target = holderBehind(part.attribute)
        if (target !== undefined && part.condition !== undefined) visit(target, part.condition)
        return
      }
      default:
        return
    }
  }

  if (condition !== undefined) visit(holder, condition)
  for (const key of sort) add(holderOf(holder, key), key.attribute.column)
  return [...found.values()]
}

function holderOf(holder: AttributeHolder, { through }: SortKey): AttributeHolder {
  const last = through.at(-1)
  return (last && holderBehind(last)) ?? holder
}
