// Lists, single entries and single types (spec 4.5; BEHAVIOUR 14.5 to 14.11).

import type { GraphQLResolveInfo } from 'graphql'
import type { Permissions } from '../../../auth/principal.ts'
import { seesDrafts } from '../../../auth/sees-drafts.ts'
import type { PreparedList, PreparedOne } from '../../../content/content.ts'
import type { EntryRow, Found } from '../../../content/entry.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import { parseId } from '../../../plan/parse-id.ts'
import { limitOf, offsetOf } from '../../../plan/plan-page.ts'
import type { Page } from '../../../plan/read-plan.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { type AssembleEntry, createAssembler } from '../selection/assemble-entry.ts'
import { collectFields } from '../selection/collect-fields.ts'
import type { ListAnswer, OneAnswer } from '../selection/entry-value.ts'
import {
  envOf,
  paramsOfLevel,
  paramsOfList,
  type ReadEnv,
  stateAndLocale,
} from '../selection/selection-params.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { levelBelow } from './entry-selection.ts'
import { createReadMemory } from './read-memory.ts'

/** The one entry of a single type, as a list of one. */
const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const
const NO_LIMITS = { defaultLimit: 1, maxLimit: null, withCount: false } as const

type QueryResolvers = Pick<EntryResolvers, 'find' | 'findOne' | 'findSingle' | 'meta'>

interface Ready<P> {
  readonly prepared: P
  readonly assemble: AssembleEntry
}

export function createQueryResolvers(parts: ResolverParts): QueryResolvers {
  const { content, limits } = parts

  function assertSeen(type: ContentType, params: Params, permissions: Permissions): void {
    if (params.publicationState === 'preview' && !seesDrafts(type, permissions, parts)) {
      throw new ApiError('ForbiddenError', 'Forbidden access')
    }
  }

  return {
    find(type): GraphqlResolver {
      const memory = createReadMemory<Ready<PreparedList>>()
      return (_parent, args, context, info) => {
        const ready = memory.of(context.principal.permissions, args, info, () => {
          const env = envOf(context, info, limits)
          const { permissions } = context.principal
          const params = { ...paramsOfList(type, args), ...paramsOfLevel(levelBelow(info, env), env) }
          assertSeen(type, params, permissions)
          const withCount = selectsMeta(info, env)
          const prepared = content.prepareFind(type, params, permissions, { ...limits, withCount })
          return { prepared, assemble: createAssembler(prepared.plan) }
        })
        const answer = (found: Found): ListAnswer => ({
          nodes: found.entries.map(ready.assemble),
          info: { args, resourceUID: type.uid },
          page: ready.prepared.page,
          total: found.total,
        })
        const found = ready.prepared.read()
        return found instanceof Promise ? found.then(answer) : answer(found)
      }
    },

    findOne(type): GraphqlResolver {
      const memory = createReadMemory<Ready<PreparedOne>>()
      return (_parent, args, context, info) => {
        const { id: given, ...others } = args
        const about = { args, resourceUID: type.uid }
        const id = typeof given === 'string' ? parseId(given) : undefined
        if (id === undefined) return { value: null, info: about } satisfies OneAnswer
        const { permissions } = context.principal
        const ready = memory.of(permissions, others, info, () => {
          const env = envOf(context, info, limits)
          const hideDrafts = !seesDrafts(type, permissions, parts)
          const params = paramsOfLevel(levelBelow(info, env), env)
          const prepared = content.prepareFindOne(type, params, permissions, hideDrafts)
          return { prepared, assemble: createAssembler(prepared.plan) }
        })
        const answer = (entry: EntryRow | undefined): OneAnswer => ({
          value: entry === undefined ? null : ready.assemble(entry),
          info: about,
        })
        const entry = ready.prepared.read(id)
        return entry instanceof Promise ? entry.then(answer) : answer(entry)
      }
    },

    findSingle(type): GraphqlResolver {
      const memory = createReadMemory<Ready<PreparedList>>()
      return (_parent, args, context, info) => {
        const { permissions } = context.principal
        const ready = memory.of(permissions, args, info, () => {
          const env = envOf(context, info, limits)
          const params: Params = {
            ...stateAndLocale(args),
            ...paramsOfLevel(levelBelow(info, env), env),
            pagination: FIRST,
          }
          assertSeen(type, params, permissions)
          const prepared = content.prepareFind(type, params, permissions, NO_LIMITS)
          return { prepared, assemble: createAssembler(prepared.plan) }
        })
        const answer = ({ entries: [entry] }: Found): OneAnswer => ({
          value: entry === undefined ? null : ready.assemble(entry),
          info: { args, resourceUID: type.uid },
        })
        const found = ready.prepared.read()
        return found instanceof Promise ? found.then(answer) : answer(found)
      }
    },

    meta(parent, _args, context) {
      const { page, total, info, nodes } = parent as ListAnswer
      if (page !== undefined && total !== undefined) return { pagination: paginationOf(page, total) }
      return countAnswer(nodes, info, context)
    },
  }

  /** An answer that somebody's code made: its entries are counted by what it says it answers. */
  async function countAnswer(
    nodes: unknown,
    info: ListAnswer['info'],
    context: GraphqlContext,
  ): Promise<unknown> {
    const type = parts.model.contentTypes.get(info?.resourceUID ?? '')
    if (type === undefined) {
      const total = Array.isArray(nodes) ? nodes.length : 0
      return { pagination: { total, page: 1, pageSize: total, pageCount: total === 0 ? 0 : 1 } }
    }
    const { start, limit, ...args } = info?.args ?? {}
    const given =
      start === undefined && limit === undefined ? args : { ...args, pagination: { start, limit } }
    const params: Params = { ...paramsOfList(type, given), fields: ['id'] }
    const { permissions } = context.principal
    const prepared = content.prepareFind(type, params, permissions, { ...limits, withCount: true })
    const { page, total } = await prepared.read()
    return { pagination: page === undefined ? undefined : paginationOf(page, total ?? 0) }
  }
}

/** Whether the total is asked for. */
function selectsMeta(info: GraphQLResolveInfo, env: ReadEnv): boolean {
  const sets = info.fieldNodes.map(({ selectionSet }) => selectionSet)
  const type = 'name' in info.returnType ? info.returnType.name : ''
  for (const nodes of collectFields(sets, type, env).fields.values()) {
    if (nodes.some(({ name }) => name.value === 'meta')) return true
  }
  return false
}

/** Always by pages, however it was asked for (BEHAVIOUR 14.7). */
function paginationOf(page: Page, total: number): Readonly<Record<string, number>> {
  const limit = limitOf(page)
  const pageSize = limit === -1 ? total : limit
  return {
    total,
    page: page.kind === 'page' ? page.page : Math.floor(offsetOf(page) / Math.max(1, pageSize)) + 1,
    pageSize,
    pageCount: pageSize === 0 ? 0 : Math.ceil(total / pageSize),
  }
}
