// Builds the params of the selection below a field, and the value made from the entry.

import { type FieldNode, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { EntrySelection, GraphqlContext } from '../../graphql-extension.ts'
import { createAssembler } from '../selection/assemble-entry.ts'
import type { FieldPlace } from '../selection/collect-fields.ts'
import { EntryResponse, type EntryValue } from '../selection/entry-value.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'
import { getBudget } from '../selection/request-budget.ts'
import { isEnvelope, type SelectedLevel, selectBelow } from '../selection/select-entry.ts'
import { buildLevelParams, getEnv, type ReadEnv } from '../selection/selection-params.ts'

export function createEntrySelection(
  type: ContentType,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  limits: GraphqlLimits,
): EntrySelection {
  const env = getEnv(context, info, limits)
  return {
    params: buildLevelParams(getLevelBelow(info, env), env),
    access: context.principal.permissions,
    budget: getBudget(context),
    resolve(plan, entry): EntryResponse | EntryValue {
      const value = createAssembler(plan)(entry)
      const answered = getNamedType(info.returnType)
      if (isObjectType(answered) && !isEnvelope(answered)) return value
      return new EntryResponse(value, { args: {}, resourceUID: type.uid })
    },
  }
}

/** Keyed by a field's first node: nodes live as long as their cached document. */
const levels = new WeakMap<FieldNode, SelectedLevel>()

export function getLevelBelow({ fieldNodes, returnType }: FieldPlace, env: ReadEnv): SelectedLevel {
  const [node] = fieldNodes
  if (node === undefined) throw new InvariantError('a field has a node')
  // The merged nodes of one field may differ between requests, so they are not cached.
  const alone = fieldNodes.length === 1
  const known = alone ? levels.get(node) : undefined
  if (known !== undefined) return known
  const type = getNamedType(returnType)
  if (!isObjectType(type)) throw new InvariantError('entries are answered as objects')
  const [, level] = selectBelow(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    type,
    env,
  )
  if (alone && level.fixed) levels.set(node, level)
  return level
}
