// Resolvers of lists, single entries and single types. Each read is planned once for the same request and permissions.

import type { GraphQLResolveInfo } from 'graphql'
import type { EntryRow, Found } from '../../../content/rows/entry.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { parseId } from '../../../plan/parse-id.ts'
import type { ReadPlan } from '../../../plan/read-plan.ts'
import { weightOfPlan } from '../../../plan/weight-of-plan.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { type AssembleEntry, createAssembler } from '../selection/assemble-entry.ts'
import type { FieldPlace } from '../selection/collect-fields.ts'
import { pathOf, shownEntries } from '../selection/cut-lists.ts'
import { type AnswerInfo, ListAnswer, OneAnswer } from '../selection/entry-value.ts'
import { pageOf } from '../selection/graphql-page.ts'
import { readModeOf } from '../selection/read-mode.ts'
import { budgetOf } from '../selection/request-budget.ts'
import { envOf, type ReadEnv } from '../selection/selection-params.ts'
import { ownFilters } from '../selection/sent-arguments.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { createQueryPlans } from './plan-queries.ts'
import { createFieldCache, createReadMemory } from './read-memory.ts'

type QueryResolvers = Pick<EntryResolvers, 'find' | 'findOne' | 'findSingle' | 'findDocument'>
type Args = Readonly<Record<string, unknown>>

export function createQueryResolvers(parts: ResolverParts): QueryResolvers {
  const plans = createQueryPlans(parts)
  const { limits } = parts
  const cache = createFieldCache()

  /** Caches a plan together with the function that makes values of its rows. */
  function remembered<P extends { readonly plan: ReadPlan }>(
    type: ContentType,
    plan: (type: ContentType, args: Args, place: FieldPlace, env: ReadEnv) => P,
  ) {
    interface PlannedRead {
      readonly prepared: P
      readonly assemble: AssembleEntry
    }
    const weigh = ({ prepared }: PlannedRead): number => weightOfPlan(prepared.plan)
    const reads = createReadMemory<PlannedRead>(cache, weigh)
    const finishedReads = createReadMemory<PlannedRead>(cache, weigh)
    return (args: Args, context: GraphqlContext, info: GraphQLResolveInfo): PlannedRead => {
      const { finished } = readModeOf(context)
      const prepare = (): PlannedRead => {
        const prepared = plan(type, args, info, envOf(context, info, limits))
        return { prepared, assemble: createAssembler(prepared.plan, finished) }
      }
      // Filters added by users' code have the server's rights, so such arguments are never cached as a client's.
      if (ownFilters(args) !== undefined) return prepare()
      return (finished ? finishedReads : reads).of(context.principal.permissions, args, info, prepare)
    }
  }

  return {
    find(type): GraphqlResolver {
      const planned = remembered(type, plans.list)
      return (_parent, args, context, info) => {
        const pagination = pageOf(args)
        const { prepared, assemble } = planned(withoutPage(args), context, info)
        readModeOf(context).readFrom?.add(prepared.version)
        const answer = ({ entries, page, total }: Found): ListAnswer => {
          const shown = shownEntries(entries, limits, context, () => pathOf(info))
          return new ListAnswer(shown.map(assemble), { args, resourceUID: type.uid }, page, total)
        }
        return whenRead(prepared.read({ budget: budgetOf(context), pagination }), answer)
      }
    },

    findOne(type): GraphqlResolver {
      const planned = remembered(type, plans.one)
      return (_parent, args, context, info) => {
        const about = { args, resourceUID: type.uid }
        const { id, others } = idOf(args)
        if (id === undefined) return new OneAnswer(null, about)
        const { prepared, assemble } = planned(others, context, info)
        readModeOf(context).readFrom?.add(prepared.entryVersion(id))
        return whenRead(prepared.read(id, { budget: budgetOf(context) }), (entry) =>
          oneAnswer(entry, assemble, about),
        )
      }
    },

    findSingle(type): GraphqlResolver {
      const planned = remembered(type, plans.single)
      return (_parent, args, context, info) => {
        const { prepared, assemble } = planned(args, context, info)
        readModeOf(context).readFrom?.add(prepared.version)
        return whenRead(prepared.read({ budget: budgetOf(context) }), ({ entries: [entry] }) =>
          oneAnswer(entry, assemble, { args, resourceUID: type.uid }),
        )
      }
    },

    findDocument(type): GraphqlResolver {
      const planned = remembered(type, plans.document)
      return (_parent, args, context, info) => {
        const { documentId, ...others } = args
        const { prepared, assemble } = planned(others, context, info)
        readModeOf(context).readFrom?.add(prepared.version)
        return whenRead(prepared.read(String(documentId), { budget: budgetOf(context) }), (entry) =>
          oneAnswer(entry, assemble, { args, resourceUID: type.uid }),
        )
      }
    },
  }
}

function oneAnswer(entry: EntryRow | undefined, assemble: AssembleEntry, info: AnswerInfo): OneAnswer {
  return new OneAnswer(entry === undefined ? null : assemble(entry), info)
}

/** Reads of one entry share a plan, whatever its id. */
function idOf({ id, ...others }: Args): { readonly id: number | undefined; readonly others: Args } {
  return { id: typeof id === 'string' ? parseId(id) : undefined, others }
}

/** All pages of a list have one plan, except where users' code added filters, which are known by the arguments. */
function withoutPage(args: Args): Args {
  if (ownFilters(args) !== undefined) return args
  const { pagination: _, ...others } = args
  return others
}

function whenRead<T, R>(read: T | Promise<T>, use: (value: T) => R): R | Promise<R> {
  return read instanceof Promise ? read.then(use) : use(read)
}
