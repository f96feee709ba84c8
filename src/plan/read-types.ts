// Finds the content-types and components whose entries or links decide what a plan reads.

import type { AttributeHolder } from '../model/content-type.ts'
import type { ReadPlan } from './read-plan.ts'
import { type Step, walkPlan } from './walk-plan.ts'

/**
 * The content-types and components that are shown, or that filters and sorts look at. A link belongs to the
 * content-types on both of its sides, so a change of links is a change of one of them.
 */
export function readTypes(plan: ReadPlan): ReadonlySet<AttributeHolder> {
  const found = new Set<AttributeHolder>()
  walkPlan(plan, {
    level: ({ holder }) => void found.add(holder),
    step: (attribute) => addTargets(attribute, found),
  })
  return found
}

function addTargets(attribute: Step, found: Set<AttributeHolder>): void {
  if (attribute.kind === 'component') found.add(attribute.component)
  else if (attribute.target !== undefined) found.add(attribute.target)
  else if (attribute.kind === 'relation') for (const target of attribute.targets) found.add(target)
}
