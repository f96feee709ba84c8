// Resolves root fields that read; a read is planned once per document, arguments and permissions.

import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import type { Input, ReadOperation } from '../../../operations/operation.ts'
import type { Params } from '../../../plan/params.ts'
import { parseId } from '../../../plan/parse-id.ts'
import { getFacts as planFacts } from '../../../plan/plan-facts.ts'
import type { PreparedRead } from '../../../query/reads.ts'
import type { ReadResult } from '../../../query/rows/entry.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { resolveFacts } from '../fields/field-facts.ts'
import { type AssembleEntry, createAssembler } from '../selection/assemble-entry.ts'
import { collectFields, type FieldPlace } from '../selection/collect-fields.ts'
import { buildPath, cutEntries } from '../selection/cut-lists.ts'
import { EntryResponse, ListResponse } from '../selection/entry-value.ts'
import { type GraphqlLimits, getPage } from '../selection/graphql-page.ts'
import { getReadMode } from '../selection/read-mode.ts'
import { getBudget } from '../selection/request-budget.ts'
import {
  buildLevelParams,
  buildListParams,
  getEnv,
  type ReadEnv,
  stateAndLocale,
} from '../selection/selection-params.ts'
import { ownFilters } from '../selection/sent-arguments.ts'
import { getLevelBelow } from './entry-selection.ts'
import { createReadMemory, type FieldCache } from './read-memory.ts'

type Args = Readonly<Record<string, unknown>>

interface PlannedRead {
  readonly prepared: PreparedRead
  readonly assemble: AssembleEntry
}

export function resolveRead(
  operation: ReadOperation,
  limits: GraphqlLimits,
  cache: FieldCache,
): GraphqlResolver {
  const { type, output } = operation
  const weigh = ({ prepared }: PlannedRead): number => planFacts(prepared.plan).weight
  const reads = createReadMemory<PlannedRead>(cache, weigh)
  const finishedReads = createReadMemory<PlannedRead>(cache, weigh)

  function plannedRead(args: Args, context: GraphqlContext, info: GraphQLResolveInfo): PlannedRead {
    const { finished } = getReadMode(context)
    const plan = (): PlannedRead => {
      const env = getEnv(context, info, limits)
      const prepared = operation.prepare(toParams(operation, args, info, env), env.principal.permissions, {
        limits: { ...limits, withCount: output === 'list' && selectsMeta(info, env) },
        refusal: 'Forbidden access',
      })
      return { prepared, assemble: createAssembler(prepared.plan, finished) }
    }
    // Filters added by users' code have the server's rights, so such arguments are never cached as a client's.
    if (ownFilters(args) !== undefined) return plan()
    return (finished ? finishedReads : reads).of(context.principal.permissions, args, info, plan)
  }

  return (_parent, args, context, info) => {
    const about = { args, resourceUID: type.uid }
    const { input, others } = splitInput(operation, args)
    if (operation.hasId && input.id === undefined) return new EntryResponse(null, about)
    const { prepared, assemble } = plannedRead(others, context, info)
    getReadMode(context).dependencies?.add(prepared.dependencies(input))
    const result = ({ entries, page, total }: ReadResult): ListResponse | EntryResponse => {
      if (output !== 'list') {
        const [entry] = entries
        return new EntryResponse(entry === undefined ? null : assemble(entry), about)
      }
      const shown = cutEntries(entries, limits, context, () => buildPath(info))
      return new ListResponse(shown.map(assemble), about, page, total)
    }
    const found = prepared.run(input, { budget: getBudget(context) })
    return found instanceof Promise ? found.then(result) : result(found)
  }
}

/** All ids of a single-entry read share a plan, as do all pages of a list. */
function splitInput(
  { type, hasId, output }: ReadOperation,
  args: Args,
): { readonly input: Input; readonly others: Args } {
  if (hasId && type.document !== undefined) {
    const { documentId, ...others } = args
    return { input: { id: String(documentId) }, others }
  }
  if (hasId) {
    const { id, ...others } = args
    return { input: { id: typeof id === 'string' ? parseId(id) : undefined }, others }
  }
  if (output !== 'list') return { input: {}, others: args }
  const pagination = getPage(args)
  // The arguments must stay the same object, by which the filters of users' code are found.
  if (ownFilters(args) !== undefined) return { input: { pagination }, others: args }
  const { pagination: _, ...others } = args
  return { input: { pagination }, others }
}

function toParams(
  { type, hasId, output }: ReadOperation,
  args: Args,
  place: FieldPlace,
  env: ReadEnv,
): Params {
  const level = buildLevelParams(getLevelBelow(place, env), env)
  if (output === 'list') return { ...buildListParams(type, args), ...level }
  // An entry of Strapi 4 is found by id in its locale, published or not.
  if (hasId && type.document === undefined) return level
  return { ...stateAndLocale(args), ...level }
}

function selectsMeta({ fieldNodes, returnType }: FieldPlace, env: ReadEnv): boolean {
  const sets = fieldNodes.map(({ selectionSet }) => selectionSet)
  const type = getNamedType(returnType)
  if (!isObjectType(type)) return false
  const fields = type.getFields()
  for (const nodes of collectFields(sets, type.name, env).fields.values()) {
    const field = fields[nodes[0]?.name.value ?? '']
    const shows = field === undefined ? undefined : resolveFacts(field).shows
    if (shows === 'meta' || shows === 'page') return true
  }
  return false
}
