// Creates the resolvers of the generated schema, all over one Content.

import type { Params } from '../../../plan/params.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import type { EntryResponse, ListResponse } from '../selection/entry-value.ts'
import { getPagination } from '../selection/graphql-page.ts'
import { buildListParams } from '../selection/selection-params.ts'
import type { EntryResolvers, ResolverOptions } from './entry-resolvers.ts'
import { createEntrySelection } from './entry-selection.ts'
import { createFieldResolver } from './field-resolver.ts'
import { createFieldCache } from './read-memory.ts'
import { resolveRead } from './read-operation.ts'
import { resolveSummary } from './summary-operation.ts'
import { resolveWrite } from './write-operation.ts'

export function createEntryResolvers(parts: ResolverOptions): EntryResolvers {
  const meta = createMetaResolver(parts)
  const { content, limits } = parts
  const cache = createFieldCache()
  return {
    root(operation) {
      switch (operation.effect) {
        case 'read':
          return resolveRead(operation, limits, cache)
        case 'write':
          return resolveWrite(operation, content, limits)
        case 'summarize':
          return resolveSummary(operation)
      }
    },
    member: createFieldResolver(parts),
    meta,
    pageInfo: (...given) => whenDone(meta(...given), getPage),
    bare:
      (resolver) =>
      (...given) =>
        whenDone(resolver(...given), withoutEnvelope),
    value: (parent) => (parent as EntryResponse).value,
    nodes: (parent) => (parent as ListResponse).nodes,
    attributes: (parent) => parent,
    entrySelection: (type, context, info) => createEntrySelection(type, context, info, limits),
  }
}

function whenDone<T>(value: T | Promise<T>, use: (value: T) => unknown): unknown {
  return value instanceof Promise ? value.then(use) : use(value)
}

function getPage(meta: unknown): unknown {
  return (meta as { readonly pagination?: unknown }).pagination
}

function withoutEnvelope(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result
  if ('nodes' in result) return result.nodes
  return 'value' in result ? result.value : result
}

/** Counted together with the list, or here if users' code made the list. */
function createMetaResolver({ content, limits, model }: ResolverOptions): GraphqlResolver {
  /** Counts the entries by the arguments that users' code names in its response. */
  async function countAnswer({ nodes, info }: ListResponse, { principal }: GraphqlContext): Promise<unknown> {
    const type = model.contentTypes.get(info?.resourceUID ?? '')
    if (type === undefined) {
      const total = Array.isArray(nodes) ? nodes.length : 0
      return { pagination: { total, page: 1, pageSize: total, pageCount: total === 0 ? 0 : 1 } }
    }
    const { start, limit, ...args } = info?.args ?? {}
    const given =
      start === undefined && limit === undefined ? args : { ...args, pagination: { start, limit } }
    const params: Params = { ...buildListParams(type, given), fields: ['id'] }
    const counting = { ...limits, withCount: true }
    const { page, total } = await content.prepareFind(type, params, principal.permissions, counting).run()
    return { pagination: page === undefined ? undefined : getPagination(page, total ?? 0) }
  }

  return (parent, _args, context) => {
    const result = parent as ListResponse
    const { page, total } = result
    if (page !== undefined && total !== undefined) return { pagination: getPagination(page, total) }
    return countAnswer(result, context)
  }
}
