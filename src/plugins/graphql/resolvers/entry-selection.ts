// The selection below a field that answers one entry -> what is read of it, and the answer made of what was read.

import { type FieldNode, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import { InvariantError } from '../../../errors/invariant.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { EntrySelection, GraphqlContext } from '../../graphql-extension.ts'
import type { FieldPlace } from '../fields/encode-field.ts'
import { createAssembler } from '../selection/assemble-entry.ts'
import type { OneAnswer } from '../selection/entry-value.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'
import { type SelectedLevel, selectBelow } from '../selection/select-entry.ts'
import { envOf, paramsOfLevel, type ReadEnv } from '../selection/selection-params.ts'

export function createEntrySelection(
  type: ContentType,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  limits: GraphqlLimits,
): EntrySelection {
  const env = envOf(context, info, limits)
  return {
    params: paramsOfLevel(levelBelow(info, env), env),
    access: context.principal.permissions,
    answer(plan, entry): OneAnswer {
      return { value: createAssembler(plan)(entry), info: { args: {}, resourceUID: type.uid } }
    },
  }
}

/** By the first node of a field: a document's nodes are kept with the document. */
const levels = new WeakMap<FieldNode, SelectedLevel>()

/** What is selected of the entries that a root field answers. */
export function levelBelow({ fieldNodes, returnType }: FieldPlace, env: ReadEnv): SelectedLevel {
  const [node] = fieldNodes
  if (node === undefined) throw new InvariantError('a field has a node')
  // A field that stands in several places is selected by all of them together, which may differ by request.
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
