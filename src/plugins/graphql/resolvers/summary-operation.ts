// Resolves `articlesAggregate`: the selected fields are the measures, as in `avg(of: "rating")`.

import { type GraphQLResolveInfo, getArgumentValues, getNamedType, isObjectType } from 'graphql'
import { invariant } from '../../../lib/errors/invariant.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { SummaryOperation } from '../../../operations/operation.ts'
import {
  type AggregateFunction,
  type AggregateInput,
  aggregateFunctions,
} from '../../../plan/aggregate-plan.ts'
import { parseHaving } from '../../../plan/parse-having.ts'
import { parseSortText } from '../../../plan/parse-sort-text.ts'
import type { AggregateRow } from '../../../query/reads.ts'
import type { GraphqlResolver } from '../../graphql-extension.ts'
import { collectFields } from '../selection/collect-fields.ts'
import { getReadMode } from '../selection/read-mode.ts'
import { getBudget } from '../selection/request-budget.ts'
import { buildListParams } from '../selection/selection-params.ts'

type Args = Readonly<Record<string, unknown>>

export function resolveSummary(operation: SummaryOperation): GraphqlResolver {
  return async (_parent, args, context, info) => {
    const prepared = operation.prepare(
      buildListParams(operation.type, args),
      parseInput(args, info),
      context.principal.permissions,
      { refusal: 'Forbidden access' },
    )
    getReadMode(context).dependencies?.add(prepared.dependencies())
    const { rows } = await prepared.run({ budget: getBudget(context) })
    return rows
  }
}

/** Of a field of a group. */
export function resolveMeasure(fn: AggregateFunction): GraphqlResolver {
  return (parent, { of }) => {
    const value = (parent as AggregateRow)[fn]
    return isRecord(value) ? value[typeof of === 'string' ? of : '*'] : value
  }
}

function parseInput(args: Args, info: GraphQLResolveInfo): AggregateInput {
  const { groupBy, having, sort } = args
  return {
    measures: listMeasures(info),
    groupBy: listTexts(groupBy),
    having: parseHaving(having, (key) => (OPERATORS.has(key) ? `$${key}` : undefined)),
    sort: listTexts(sort)
      .flatMap(parseSortText)
      .map(({ path, descending }) => ({ name: path.join('.'), descending })),
  }
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function listMeasures(info: GraphQLResolveInfo): readonly string[] {
  const type = getNamedType(info.returnType)
  invariant(isObjectType(type), 'groups are objects')
  const sets = info.fieldNodes.map(({ selectionSet }) => selectionSet)
  const fields = type.getFields()
  return [...collectFields(sets, type.name, info).fields.values()].flatMap(([node]) => {
    const fn = aggregateFunctions.find((one) => one === node?.name.value)
    const field = fn === undefined ? undefined : fields[fn]
    if (node === undefined || field === undefined) return []
    const { of } = getArgumentValues(field, node, info.variableValues)
    return typeof of === 'string' ? [`${fn}.${of}`] : [String(fn)]
  })
}

const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte'])
