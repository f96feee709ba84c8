// Resolves `meta` of a list: counted together with the list, or now if users' code made the list.

import type { Params } from '../../../plan/params.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import type { ListAnswer } from '../selection/entry-value.ts'
import { paginationOf } from '../selection/graphql-page.ts'
import { paramsOfList } from '../selection/selection-params.ts'
import type { ResolverParts } from './entry-resolvers.ts'

export function createMetaResolver({ content, limits, model }: ResolverParts): GraphqlResolver {
  /** For an answer made by users' code: counts its entries by the arguments that the answer names. */
  async function countAnswer({ nodes, info }: ListAnswer, { principal }: GraphqlContext): Promise<unknown> {
    const type = model.contentTypes.get(info?.resourceUID ?? '')
    if (type === undefined) {
      const total = Array.isArray(nodes) ? nodes.length : 0
      return { pagination: { total, page: 1, pageSize: total, pageCount: total === 0 ? 0 : 1 } }
    }
    const { start, limit, ...args } = info?.args ?? {}
    const given =
      start === undefined && limit === undefined ? args : { ...args, pagination: { start, limit } }
    const params: Params = { ...paramsOfList(type, given), fields: ['id'] }
    const counting = { ...limits, withCount: true }
    const { page, total } = await content.prepareFind(type, params, principal.permissions, counting).run()
    return { pagination: page === undefined ? undefined : paginationOf(page, total ?? 0) }
  }

  return (parent, _args, context) => {
    const answer = parent as ListAnswer
    const { page, total } = answer
    if (page !== undefined && total !== undefined) return { pagination: paginationOf(page, total) }
    return countAnswer(answer, context)
  }
}
