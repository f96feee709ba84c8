// Turns an aggregate into a plan: resolves paths, functions and conditions, and checks limits.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Access } from '../model/access.ts'
import { isToMany, type ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import {
  type AggregateFunction,
  type AggregateInput,
  type AggregateQuery,
  aggregateFunctions,
  type DatePart,
  dateParts,
  type GroupKey,
  type Measure,
  type MeasureCondition,
} from './aggregate-plan.ts'
import { getShownBehind } from './conditions/plan-visibility.ts'
import { operators } from './operators.ts'
import type { Params } from './params.ts'
import { getOffset, getReadLimit, type PageLimits, planPage } from './plan-page.ts'
import { listConditions } from './plan-read.ts'
import { planSort } from './plan-sort.ts'
import { joined } from './plan-state.ts'
import { createTooMuch, type PlanContext, planLimits, slot, startPlanning } from './planning.ts'
import type { PlanValue, SortKey } from './read-plan.ts'

/** Without `limits`, every group. Throws ValidationError. */
export function planAggregate(
  type: ContentType,
  params: Params,
  { measures: asked, groupBy, having, sort }: AggregateInput,
  access: Access,
  limits?: PageLimits,
): AggregateQuery {
  const planning = startPlanning(access, type, params.publicationState ?? 'live')
  const page = planPage(params.pagination, limits)
  const condition = joined(listConditions(planning, type, params, 'find'))
  const names = [...new Set(asked)]
  const sorted = sort.filter(({ name }) => !groupBy.includes(name)).map(({ name }) => name)
  const groups = [...new Set(groupBy)].map((name) => planGroup(planning, type, name))
  const measures = [...new Set([...names, ...Object.keys(having), ...sorted])].map((name) =>
    planMeasure(planning, type, name),
  )
  if (groups.length + measures.length > planLimits.sortKeys)
    throw createTooMuch('groups and measures', planLimits.sortKeys)
  const byName = new Map<string, GroupKey | Measure>([...measures, ...groups].map((one) => [one.name, one]))
  const ordered = sort.flatMap(({ name, descending }) => {
    const by = byName.get(name)
    return by === undefined ? [] : [{ by, descending }]
  })
  const rest = groups
    .filter((group) => !ordered.some(({ by }) => by === group))
    .map((by) => ({ by, descending: false }))
  return {
    plan: {
      entries: {
        schema: type,
        columns: [],
        condition,
        sort: [...groups, ...measures].flatMap(({ key }) => key ?? []),
        limit: undefined,
        offset: undefined,
        populate: [],
        ...(access.seesPrivate === true && { seesPrivate: true }),
      },
      groups,
      measures,
      shown: names.length,
      having: measures.flatMap((measure) => planHaving(planning, measure, having[measure.name])),
      order: [...ordered, ...rest],
      limit: slot(planning, getReadLimit(page)),
      offset: slot(planning, getOffset(page)),
    },
    page,
    values: planning.values,
  }
}

const DATE_PART = /^(\w+)\((.*)\)$/

function planGroup(planning: PlanContext, type: ContentType, name: string): GroupKey {
  const [, part, path = name] = DATE_PART.exec(name) ?? []
  const key = planPath(planning, type, path, 'groupBy')
  const { column } = attributeTypes[key.attribute.type]
  if (part === undefined) {
    if (column === 'json') throw unfit('groupBy', name, 'JSON has no groups')
    return { name, key, part }
  }
  if (!isDatePart(part)) throw unfit('groupBy', name, `expected ${dateParts.join(', ')}`)
  if (column !== 'date' && column !== 'datetime') throw unfit('groupBy', name, 'expected a date or datetime')
  return { name, key, part }
}

function isDatePart(part: string): part is DatePart {
  return dateParts.some((one) => one === part)
}

function planMeasure(planning: PlanContext, type: ContentType, name: string): Measure {
  const [first = '', ...steps] = name.split('.')
  const fn = aggregateFunctions.find((one) => one === first)
  if (fn === undefined)
    throw unfit('aggregate', name, `expected ${aggregateFunctions.join(', ')}, or a name of groupBy`)
  if (steps.length === 0) {
    if (fn !== 'count') throw unfit('aggregate', name, `${fn} needs an attribute, such as ${fn}.id`)
    return { name, fn, key: undefined }
  }
  const key = planPath(planning, type, steps.join('.'), 'aggregate')
  const reason = findReasonAgainst(fn, key.attribute)
  if (reason !== undefined) throw unfit('aggregate', name, reason)
  return { name, fn, key }
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal'])
const WITHOUT_ORDER: ReadonlySet<string> = new Set(['json', 'boolean'])

function findReasonAgainst(fn: AggregateFunction, { type }: ScalarAttribute): string | undefined {
  const { column } = attributeTypes[type]
  if ((fn === 'sum' || fn === 'avg') && !NUMBERS.has(column)) return `${fn} needs a number`
  if ((fn === 'min' || fn === 'max') && WITHOUT_ORDER.has(column)) return `${fn} needs values with an order`
  return fn === 'countDistinct' && column === 'json' ? 'JSON values are not compared' : undefined
}

/** An own attribute, or one behind relations to one: an entry has one value, so it is in one group. */
function planPath(
  planning: PlanContext,
  type: ContentType,
  path: string,
  use: 'groupBy' | 'aggregate',
): SortKey {
  const [key] = planSort(planning, type, [{ path: path.split('.'), descending: false }], getShownBehind)
  if (key === undefined || key.through.some(isToMany))
    throw unfit(
      use,
      path,
      'an entry has several values there; filter or aggregate the related entries instead',
    )
  return key
}

function unfit(parameter: string, name: string, reason: string): ApiError {
  return new ApiError('ValidationError', `Invalid ${parameter} ${name.slice(0, 200)}: ${reason}`)
}

const COMPARISONS: ReadonlySet<string> = new Set(['$eq', '$ne', '$lt', '$lte', '$gt', '$gte'])

function planHaving(planning: PlanContext, measure: Measure, given: unknown): readonly MeasureCondition[] {
  if (given === undefined) return []
  const conditions = isRecord(given) ? given : { $eq: given }
  return Object.entries(conditions).map(([name, value]) => {
    const operator = COMPARISONS.has(name) ? operators.get(name) : undefined
    if (operator === undefined)
      throw unfit('having', `${measure.name}.${name}`, `expected ${[...COMPARISONS].join(', ')}`)
    return { measure, operator, slot: slot(planning, castMeasure(measure, value)) }
  })
}

function castMeasure({ name, fn, key }: Measure, value: unknown): PlanValue {
  if (key !== undefined && (fn === 'min' || fn === 'max'))
    return attributeTypes[key.attribute.type].cast(value, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit('having', name, 'expected a number')
  return number
}
