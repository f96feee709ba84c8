// Plans, compiles and runs aggregates within the cost limit of a request.

import { BoundedCache } from '../lib/bounded-cache.ts'
import { cacheBudgets } from '../lib/cache-budgets.ts'
import type { Access } from '../model/access.ts'
import type { AggregatePlan, GroupKey, Measure } from '../plan/aggregate-plan.ts'
import { planAggregate } from '../plan/plan-aggregate.ts'
import { assertSize, getFacts } from '../plan/plan-facts.ts'
import { getOffset } from '../plan/plan-page.ts'
import type { PlanValue, Query } from '../plan/read-plan.ts'
import { type Database, run, type Work } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { compileAggregate } from '../storage/sql/compile-aggregate.ts'
import { bindValues } from '../storage/sql/parameter.ts'
import type { BoundStatement } from '../storage/sql/read-statements.ts'
import type { SqlRow, SqlValue } from '../storage/sql/statement.ts'
import type { Version } from './dependencies.ts'
import type { AggregateRow, PrepareAggregate } from './reads.ts'
import { createRequestBudget, type RequestBudget } from './rows/request-budget.ts'
import { decodeValue } from './rows/to-object.ts'

interface AggregateContext {
  readonly layout: ModelLayout
  readonly database: Database
  getCharge(query: Query, access: Access): (budget: RequestBudget) => void
  getVersion(uids: readonly string[]): Version
}

export function createAggregates({
  layout,
  database,
  getCharge,
  getVersion,
}: AggregateContext): PrepareAggregate {
  const { dialect } = database
  const cache = new BoundedCache<BoundStatement>({ name: 'aggregates', budget: cacheBudgets.aggregates })

  function compile(plan: AggregatePlan): BoundStatement {
    const key = buildKey(plan)
    let found = cache.get(key)
    if (found === undefined) {
      assertSize(getFacts(plan.entries))
      found = compileAggregate(plan, layout, dialect)
      cache.offer(key, found, 2 * (key.length + found.statement.text.length))
    }
    return found
  }

  return (type, params, aggregate, access, limits) => {
    const query = planAggregate(type, params, aggregate, access, limits)
    const { plan, page, values } = query
    const charge = getCharge({ plan: plan.entries, page: undefined, values }, access)
    const version = getVersion(getFacts(plan.entries).types)
    return {
      plan,
      dependencies: () => version,
      async run({ mayLag, budget = createRequestBudget() } = {}) {
        charge(budget)
        const { statement, parameters } = compile(plan)
        const read = (asked: readonly PlanValue[]): Promise<readonly SqlRow[]> => {
          const bound = bindValues(parameters, asked, [])
          const work = (): Work<readonly SqlRow[]> => run(statement, bound)
          return Promise.resolve(database.read(work, { single: true, mayLag }))
        }
        const rows = await read(values)
        budget.add(rows.length, rows.length, 0)
        // A page behind the last group does not tell how many there are.
        const [counted] =
          rows.length > 0 || getOffset(page) === 0 ? rows : await read(withFirst(plan, values))
        return { rows: rows.map((row) => decode(plan, row)), page, total: Number(counted?.[0] ?? 0) }
      },
    }
  }
}

/** Like the key of the entries, it names the slots of the values. */
function buildKey({ entries, groups, measures, having, order, limit, offset }: AggregatePlan): string {
  const grouped = groups.map(({ name }) => name)
  const asked = measures.map(({ name }) => name)
  const kept = having.map(({ measure, operator, slot }) => `${measure.name} ${operator.name} ${slot}`)
  const sorted = order.map(({ by, descending }) => `${descending ? '-' : ''}${by.name}`)
  return `${getFacts(entries).key} ${JSON.stringify([grouped, asked, kept, sorted, limit, offset])}`
}

function withFirst({ limit, offset }: AggregatePlan, values: readonly PlanValue[]): readonly PlanValue[] {
  const changed = values.slice()
  changed[limit] = 1
  changed[offset] = 0
  return changed
}

/** `{ group: { status: 'new' }, count: 2, avg: { rating: 4.5 } }`; `count: { '*': 2, rating: 1 }` if both are asked for. */
function decode({ groups, measures, shown }: AggregatePlan, row: SqlRow): AggregateRow {
  const result: Record<string, unknown> = {}
  if (groups.length > 0)
    result['group'] = Object.fromEntries(
      groups.map((group, index) => [group.name, decodeGroup(group, row[1 + index])]),
    )
  const asked = measures.slice(0, shown)
  const countsAlone = !asked.some(({ fn, key }) => fn === 'count' && key !== undefined)
  for (const [index, measure] of asked.entries()) {
    const value = decodeMeasure(measure, row[1 + groups.length + index])
    const { fn, name, key } = measure
    if (key === undefined && countsAlone) result[fn] = value
    else
      result[fn] = {
        ...(result[fn] as object | undefined),
        [key === undefined ? '*' : name.slice(fn.length + 1)]: value,
      }
  }
  return result
}

function decodeGroup({ key, part }: GroupKey, stored: SqlValue | undefined): unknown {
  return part === undefined ? decodeValue(key.attribute, stored) : (stored ?? null)
}

function decodeMeasure({ fn, key }: Measure, stored: SqlValue | undefined): unknown {
  if (key !== undefined && (fn === 'min' || fn === 'max')) return decodeValue(key.attribute, stored)
  return stored === null || stored === undefined ? null : Number(stored)
}
