// Plans the reads of root fields.

import { getNamedType, isObjectType } from 'graphql'
import { draftsHidden } from '../../../auth/explain-refusal.ts'
import type { PreparedDocument, PreparedList, PreparedOne } from '../../../content/content.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import { factsOf } from '../fields/field-facts.ts'
import { collectFields, type FieldPlace } from '../selection/collect-fields.ts'
import { paramsOfLevel, paramsOfList, type ReadEnv, stateAndLocale } from '../selection/selection-params.ts'
import type { ResolverParts } from './entry-resolvers.ts'
import { levelBelow } from './entry-selection.ts'

type Args = Readonly<Record<string, unknown>>
type PlanRead<P> = (type: ContentType, args: Args, place: FieldPlace, env: ReadEnv) => P

export interface QueryPlans {
  readonly list: PlanRead<PreparedList>
  readonly one: PlanRead<PreparedOne>
  readonly single: PlanRead<PreparedList>
  /** One document, whatever its documentId. */
  readonly document: PlanRead<PreparedDocument>
}

/** Reads the only entry of a single type as a list of one entry. */
const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const

/** They throw ApiError for invalid requests and for those that this caller has no permission for. */
export function createQueryPlans(parts: ResolverParts): QueryPlans {
  const { content, limits } = parts

  function assertSeen(type: ContentType, params: Params, { principal }: ReadEnv): void {
    const { permissions } = principal
    const isBlind = !permissions.seesDrafts(type) && permissions.draftsOf(type) === undefined
    if ((params.publicationState ?? 'live') !== 'live' && isBlind) {
      throw new ApiError('ForbiddenError', 'Forbidden access').because(draftsHidden(type.uid))
    }
  }

  return {
    list(type, args, place, env) {
      const params = { ...paramsOfList(type, args), ...paramsOfLevel(levelBelow(place, env), env) }
      assertSeen(type, params, env)
      const withCount = selectsMeta(place, env)
      return content.prepareFind(type, params, env.principal.permissions, { ...limits, withCount })
    },

    one(type, _args, place, env) {
      const { permissions } = env.principal
      const hideDrafts = !permissions.seesDrafts(type)
      return content.prepareFindOne(type, paramsOfLevel(levelBelow(place, env), env), permissions, hideDrafts)
    },

    single(type, args, place, env) {
      const level = paramsOfLevel(levelBelow(place, env), env)
      const params: Params = { ...stateAndLocale(args), ...level, pagination: FIRST }
      assertSeen(type, params, env)
      return content.prepareFind(type, params, env.principal.permissions)
    },

    document(type, args, place, env) {
      const params = { ...stateAndLocale(args), ...paramsOfLevel(levelBelow(place, env), env) }
      assertSeen(type, params, env)
      return content.prepareFindDocument(type, params, env.principal.permissions)
    },
  }
}

/** Whether the selection includes the total. */
function selectsMeta({ fieldNodes, returnType }: FieldPlace, env: ReadEnv): boolean {
  const sets = fieldNodes.map(({ selectionSet }) => selectionSet)
  const type = getNamedType(returnType)
  if (!isObjectType(type)) return false
  const fields = type.getFields()
  for (const nodes of collectFields(sets, type.name, env).fields.values()) {
    const field = fields[nodes[0]?.name.value ?? '']
    const shows = field === undefined ? undefined : factsOf(field).shows
    if (shows === 'meta' || shows === 'page') return true
  }
  return false
}
