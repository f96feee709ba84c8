// Finds whether an index serves a condition and selects few rows.

import type { ScalarAttribute } from '../../model/attribute.ts'
import { getSchemaBehind } from '../../model/attribute-targets.ts'
import type { Schema } from '../../model/content-type.ts'
import type { Condition } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'

export function isIndexed(layout: ModelLayout, schema: Schema, condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.some((part) => isIndexed(layout, schema, part))
    case 'or':
      return (
        condition.conditions.length > 0 &&
        condition.conditions.every((part) => isIndexed(layout, schema, part))
      )
    case 'compare': {
      const { operator, attribute } = condition
      const isExact = (operator.kind === 'equal' && !operator.ignoresCase) || operator.kind === 'in'
      return isExact && !operator.negated && findsFew(layout, schema, attribute)
    }
    case 'related': {
      const target = getSchemaBehind(condition.attribute)
      return (
        target !== undefined &&
        condition.condition !== undefined &&
        isIndexed(layout, target, condition.condition)
      )
    }
    default:
      return false
  }
}

/** Excludes attributes of few values: half of all rows may have one of them. */
function findsFew(layout: ModelLayout, schema: Schema, attribute: ScalarAttribute): boolean {
  const { type, computed } = attribute
  return type !== 'boolean' && type !== 'enumeration' && !computed && hasIndex(layout, schema, attribute)
}

export function hasIndex(layout: ModelLayout, schema: Schema, { name, column }: ScalarAttribute): boolean {
  if (name === 'id') return true
  const indexes = layout.tables.get(schema.collectionName)?.indexes ?? []
  return indexes.some(
    ({ columns, text, json }) => text !== true && json === undefined && columns[0] === column,
  )
}
