// Defines the names that each part of a rule may use.

import type { Scope, Type } from '../expressions/expression.ts'
import { findRuledAction, takesData } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import { buildPayloadShape, buildPublicShape, describeSchema } from '../model/expression-scope.ts'
import type { Model } from '../model/model.ts'

export type RulePart = 'where' | 'check' | 'set' | 'fields'

/** The parts that a rule for the action may have; undefined if it takes none. A short form such as `order.*` drops the others. */
export function getRuleParts(name: string): readonly RulePart[] | undefined {
  // The action of users is called `destroy`, as in Strapi.
  const action = findRuledAction(name === 'destroy' ? 'delete' : name)
  if (action === undefined) return undefined
  const { effect, hasId, takes } = action
  const selects = effect === 'read' || hasId || takes.includes('filters') || takes.includes('on')
  const where: readonly RulePart[] = selects ? ['where'] : []
  if (takesData(action)) return [...where, 'check', 'set', 'fields']
  return effect === 'read' ? [...where, 'fields'] : where
}

export function getScopes(
  model: Model,
  type: ContentType,
): Readonly<Record<'where' | 'check' | 'set', Scope>> {
  const entry = describeSchema(type)
  const caller: [string, Type][] = [
    ['role', { kind: 'text' }],
    ['now', { kind: 'moment' }],
  ]
  const { userType } = model
  if (userType !== undefined) caller.unshift(['me', { kind: 'entry', shape: buildPublicShape(userType) }])
  const input: [string, Type] = ['input', { kind: 'entry', shape: buildPayloadShape(type) }]
  const before: [string, Type] = ['before', { kind: 'entry', shape: buildPublicShape(type) }]
  return {
    where: { entry, variables: new Map(caller) },
    check: { entry, variables: new Map([...caller, input, before]) },
    set: { entry: undefined, variables: new Map([...caller, input]) },
  }
}
