// Finds the content-types and components whose entries or links decide what a plan reads.

import type { ComponentAttribute, MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import { type Condition, levelsOf, membersOf, type ReadPlan, type ValueExpression } from './read-plan.ts'

/**
 * The content-types and components that are shown, or that filters and sorts look at. A link belongs to the
 * content-types on both of its sides, so a change of links is a change of one of them.
 */
export function readTypes(plan: ReadPlan): ReadonlySet<AttributeHolder> {
  const found = new Set<AttributeHolder>()
  visitPlan(plan, found)
  return found
}

function visitPlan(plan: ReadPlan, found: Set<AttributeHolder>): void {
  found.add(plan.holder)
  if (plan.condition !== undefined) visitCondition(plan.condition, found)
  for (const { through, only } of plan.sort) {
    for (const attribute of through) addTargets(attribute, found)
    for (const condition of only.values()) visitCondition(condition, found)
  }
  for (const member of membersOf(plan)) for (const below of levelsOf(member)) visitPlan(below, found)
}

function visitCondition(condition: Condition, found: Set<AttributeHolder>): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.conditions) visitCondition(part, found)
      return
    case 'not':
      visitCondition(condition.condition, found)
      return
    case 'compare':
      return
    case 'related':
      addTargets(condition.attribute, found)
      if (condition.condition !== undefined) visitCondition(condition.condition, found)
      if (condition.only !== undefined) visitCondition(condition.only, found)
      return
    case 'compareValues':
      visitValue(condition.left, found)
      visitValue(condition.right, found)
      return
    case 'textTest':
      visitValue(condition.text, found)
      visitValue(condition.part, found)
      return
    case 'valueIsNull':
      visitValue(condition.value, found)
      return
  }
}

function visitValue(value: ValueExpression, found: Set<AttributeHolder>): void {
  switch (value.kind) {
    case 'attribute':
      for (const attribute of value.through) addTargets(attribute, found)
      return
    case 'slot':
    case 'null':
      return
    case 'ordinary':
      visitValue(value.value, found)
      return
    case 'size':
      visitValue(value.text, found)
      return
    case 'arithmetic':
    case 'concat':
      visitValue(value.left, found)
      visitValue(value.right, found)
      return
    case 'conditional':
      for (const one of value.cases) {
        visitCondition(one.when, found)
        visitValue(one.value, found)
      }
      return
  }
}

function addTargets(
  attribute: RelationAttribute | MediaAttribute | ComponentAttribute,
  found: Set<AttributeHolder>,
): void {
  if (attribute.kind === 'component') found.add(attribute.component)
  else if (attribute.target !== undefined) found.add(attribute.target)
  else if (attribute.kind === 'relation') for (const target of attribute.targets) found.add(target)
}
