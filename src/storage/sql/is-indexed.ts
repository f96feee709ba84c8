// Whether an index finds the rows for which a condition holds, and so few that it is worth it.

import type { ScalarAttribute } from '../../model/attribute.ts'
import { holderBehind } from '../../model/attribute-targets.ts'
import type { AttributeHolder } from '../../model/content-type.ts'
import type { Condition } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'

export function isIndexed(layout: ModelLayout, holder: AttributeHolder, condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.some((part) => isIndexed(layout, holder, part))
    case 'or':
      return (
        condition.conditions.length > 0 &&
        condition.conditions.every((part) => isIndexed(layout, holder, part))
      )
    case 'compare': {
      const { operator, attribute } = condition
      const isExact = (operator.kind === 'equal' && !operator.ignoresCase) || operator.kind === 'in'
      return isExact && !operator.negated && findsFew(layout, holder, attribute)
    }
    case 'related': {
      const target = holderBehind(condition.attribute)
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

/** Attributes of few values are left out: half of all rows may have one of them. */
function findsFew(layout: ModelLayout, holder: AttributeHolder, attribute: ScalarAttribute): boolean {
  const { type, computed } = attribute
  return type !== 'boolean' && type !== 'enumeration' && !computed && hasIndex(layout, holder, attribute)
}

/** Whether an index begins with the attribute. */
export function hasIndex(
  layout: ModelLayout,
  holder: AttributeHolder,
  { name, column }: ScalarAttribute,
): boolean {
  if (name === 'id') return true
  const indexes = layout.tables.get(holder.collectionName)?.indexes ?? []
  return indexes.some(({ columns, text }) => text !== true && columns[0] === column)
}
