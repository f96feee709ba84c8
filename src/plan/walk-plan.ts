// Walks over the levels, conditions and values of a plan, for functions that look at each of them once.

import type { ComponentAttribute, MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import { type Condition, levelsOf, membersOf, type ReadPlan, type ValueExpression } from './read-plan.ts'

export type Step = RelationAttribute | MediaAttribute | ComponentAttribute

export interface PlanVisitor {
  /** Each level, before what it is made of. */
  level?(plan: ReadPlan): void
  condition?(condition: Condition): void
  /** Each relation or component that a condition, a value or a sort goes through. */
  step?(attribute: Step): void
}

export function walkPlan(plan: ReadPlan, visitor: PlanVisitor): void {
  walkLevel(plan, visitor)
  for (const member of membersOf(plan)) for (const below of levelsOf(member)) walkPlan(below, visitor)
}

/** The level alone, without the members that are read in addition. */
export function walkLevel(plan: ReadPlan, visitor: PlanVisitor): void {
  visitor.level?.(plan)
  walkCondition(plan.condition, visitor)
  walkCondition(plan.keyset?.behind, visitor)
  for (const { through, only } of plan.sort) {
    for (const attribute of through) visitor.step?.(attribute)
    for (const condition of only.values()) walkCondition(condition, visitor)
  }
}

function walkCondition(condition: Condition | undefined, visitor: PlanVisitor): void {
  if (condition === undefined) return
  visitor.condition?.(condition)
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.conditions) walkCondition(part, visitor)
      return
    case 'not':
      walkCondition(condition.condition, visitor)
      return
    case 'compare':
      return
    case 'related':
      visitor.step?.(condition.attribute)
      walkCondition(condition.only, visitor)
      walkCondition(condition.condition, visitor)
      return
    case 'compareValues':
      walkValue(condition.left, visitor)
      walkValue(condition.right, visitor)
      return
    case 'textTest':
      walkValue(condition.text, visitor)
      walkValue(condition.part, visitor)
      return
    case 'valueIsNull':
      walkValue(condition.value, visitor)
      return
  }
}

function walkValue(value: ValueExpression, visitor: PlanVisitor): void {
  switch (value.kind) {
    case 'attribute':
      for (const attribute of value.through) visitor.step?.(attribute)
      return
    case 'slot':
    case 'null':
      return
    case 'ordinary':
      walkValue(value.value, visitor)
      return
    case 'size':
      walkValue(value.text, visitor)
      return
    case 'arithmetic':
    case 'concat':
      walkValue(value.left, visitor)
      walkValue(value.right, visitor)
      return
    case 'conditional':
      for (const one of value.cases) {
        walkCondition(one.when, visitor)
        walkValue(one.value, visitor)
      }
      return
  }
}
