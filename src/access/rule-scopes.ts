// Defines the names that each part of a rule may use.

import type { Scope, Type } from '../expressions/expression.ts'
import type { ContentType } from '../model/content-type.ts'
import { buildPayloadShape, buildPublicShape, describeSchema } from '../model/expression-scope.ts'
import type { Model } from '../model/model.ts'

export type RulePart = 'where' | 'check' | 'set' | 'fields'

/** A short form such as `order.*` drops the other parts. */
export const partsOfAction: Readonly<Record<string, readonly RulePart[] | undefined>> = {
  find: ['where', 'fields'],
  findOne: ['where', 'fields'],
  create: ['check', 'set', 'fields'],
  createLocalization: ['where', 'check', 'set', 'fields'],
  update: ['where', 'check', 'set', 'fields'],
  delete: ['where'],
  createMany: ['check', 'set', 'fields'],
  updateMany: ['where', 'check', 'set', 'fields'],
  deleteMany: ['where'],
  upsert: ['where', 'check', 'set', 'fields'],
  upsertMany: ['where', 'check', 'set', 'fields'],
  destroy: ['where'],
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
