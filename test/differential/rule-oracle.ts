// What rules say, evaluated in memory over the whole content of a random world.

import { getScopes } from '../../src/access/rule-scopes.ts'
import { checkExpression } from '../../src/expressions/check-expression.ts'
import { evaluateExpression, type NamedValues } from '../../src/expressions/evaluate-expression.ts'
import type { Expression } from '../../src/expressions/expression.ts'
import type { Cms } from '../../src/index.ts'
import type { Model } from '../../src/model/model.ts'

export type Entry = Readonly<Record<string, unknown>> & { readonly id: number }

/** Everything that a rule of these worlds looks at. */
const READ = [
  'author',
  'author.team',
  'team',
  'team.lead',
  'members',
  'members.team',
  'related',
  'related.members',
  'main',
  'main.author',
  'main.main',
  'box',
  'box.owner',
  'box.doc',
  'boxes',
  'boxes.owner',
]

/** All documents with all that rules look at, but for their secrets. */
export async function docsOf(cms: Cms): Promise<readonly Entry[]> {
  return (await cms.entries('doc').findMany({ populate: READ })) as unknown as readonly Entry[]
}

export async function usersOf(cms: Cms): Promise<readonly Entry[]> {
  return (await cms
    .entries('plugin::users-permissions.user')
    .findMany({ populate: ['team'] })) as unknown as readonly Entry[]
}

/** What is unknown does not hold. */
export function holds(condition: Expression, given: NamedValues): boolean {
  return evaluateExpression(condition, given) === true
}

export function compiled(model: Model, text: string, part: 'where' | 'check'): Expression {
  const type = model.contentTypes.get('api::doc.doc')
  if (type === undefined) throw new Error('the world has documents')
  const checked = checkExpression(text, getScopes(model, type)[part], 'bool')
  if (!checked.ok) throw new Error(`${text}: ${checked.fault.message}`)
  return checked.expression
}
