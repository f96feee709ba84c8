// Parses the query of a summary: `aggregate`, `groupBy`, `having` and `sort`, beside the filters of a list.

import { ApiError } from '../lib/errors/api-error.ts'
import type { OperationShape } from '../model/actions.ts'
import type { AggregateInput } from '../plan/aggregate-plan.ts'
import type { NumberedPage, PaginationInput } from '../plan/params.ts'
import { parseHaving } from '../plan/parse-having.ts'
import { parseSort } from './parse-level.ts'
import { splitPagination } from './parse-pagination.ts'
import { isQueryObject, type ParsedQuery, parseQueryString, type QueryValue } from './query-string.ts'
import { createWithoutEffect } from './unused-parameters.ts'

interface SummaryQuery {
  readonly query: ParsedQuery
  readonly pagination: NumberedPage | undefined
  readonly aggregate: AggregateInput
}

const COUNT: AggregateInput = { measures: ['count'], groupBy: [], having: {}, sort: [] }
const WITHOUT_EFFECT = ['fields', 'populate', 'pagination', 'sort', 'aggregate', 'groupBy', 'having']

export function parseSummaryQuery(
  { output }: Pick<OperationShape, 'output'>,
  text: string,
  parsePage?: (value: QueryValue) => PaginationInput | undefined,
): SummaryQuery {
  const parsed = parseQueryString(text, parsePage !== undefined)
  const isCount = output === 'number'
  const unused = WITHOUT_EFFECT.slice(0, isCount ? undefined : 2).find((name) => parsed[name] !== undefined)
  if (unused !== undefined)
    throw createWithoutEffect(unused, 'the response has numbers, not entries; remove it')
  if (isCount) return { query: parsed, pagination: undefined, aggregate: COUNT }
  const { query: unpaged, pagination } = splitPagination(parsed, parsePage)
  const { aggregate, groupBy, having, sort, ...query } = unpaged
  const input = parseAggregate({ aggregate, groupBy, having, sort })
  if (query['pagination'] !== undefined)
    throw createWithoutEffect('pagination[after]', 'groups have no cursor')
  return {
    query,
    pagination,
    aggregate: input,
  }
}

interface GivenAggregate {
  readonly aggregate?: QueryValue | undefined
  readonly groupBy?: QueryValue | undefined
  readonly having?: unknown
  readonly sort?: QueryValue | undefined
}

/** Throws ValidationError. */
export function parseAggregate({ aggregate, groupBy, having, sort }: GivenAggregate): AggregateInput {
  return {
    measures: parseMeasures(aggregate),
    groupBy: listNames('groupBy', groupBy),
    having: parseHaving(having, (key) => (key.startsWith('$') ? key : undefined)),
    sort: parseSort(sort ?? null).map(({ path, descending }) => ({ name: path.join('.'), descending })),
  }
}

/** `aggregate[avg]=rating,views`; `aggregate[count]=*`; nothing counts the entries. */
function parseMeasures(value: QueryValue | undefined): readonly string[] {
  if (value === undefined || value === null) return ['count']
  if (!isQueryObject(value))
    throw new ApiError(
      'ValidationError',
      'Invalid aggregate: expected functions, as in aggregate[avg]=rating',
    )
  return Object.entries(value).flatMap(([fn, names]) =>
    listNames(`aggregate[${fn}]`, names).map((name) => (name === '*' ? fn : `${fn}.${name}`)),
  )
}

function listNames(parameter: string, value: QueryValue | undefined): readonly string[] {
  const given = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  return given.flatMap((one: QueryValue) => {
    if (typeof one !== 'string')
      throw new ApiError('ValidationError', `Invalid ${parameter.slice(0, 100)}: expected names`)
    return one
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  })
}
