// Plans, compiles and runs reads of content within a cost limit. Compiled statements are cached as long as
// one app.

import { everyPermission, isServer } from '../access/principal.ts'
import { attributeTypes } from '../attribute-types/attribute-types.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { cacheBudgets } from '../lib/cache-budgets.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { traceWork } from '../lib/traced.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { formatCursor } from '../plan/cursor.ts'
import type { Params } from '../plan/params.ts'
import { assertSize, getFacts } from '../plan/plan-facts.ts'
import { planPage } from '../plan/plan-page.ts'
import { planFind, planFindDocument, planFindOne, withPage } from '../plan/plan-read.ts'
import { planLimits } from '../plan/planning.ts'
import { getPrice, isFree, type Price } from '../plan/price.ts'
import type { Page, ReadPlan } from '../plan/read-plan.ts'
import { looksAtItself, type Query } from '../plan/read-plan.ts'
import type { Database, Work } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { compileRead } from '../storage/sql/compile-read.ts'
import { estimateBytes, type ReadStatements } from '../storage/sql/read-statements.ts'
import { chooseStatements } from './choose-statements.ts'
import type { ContentVersions } from './content-versions.ts'
import { createAggregates } from './create-aggregates.ts'
import type { Version } from './dependencies.ts'
import { listScans } from './list-scans.ts'
import type { PreparedRead, Reads } from './reads.ts'
import type { EntryRow } from './rows/entry.ts'
import { getId, type ReadResult } from './rows/entry.ts'
import type { EntryReader } from './rows/entry-reader.ts'
import { readCounted, readEntries } from './rows/read-entries.ts'
import { type BudgetPart, createRequestBudget, type RequestBudget } from './rows/request-budget.ts'
import { type EntryObject, toObject } from './rows/to-object.ts'
import { createTotalCache } from './rows/total-cache.ts'
import { createStatistics } from './statistics.ts'

interface ReadsOptions {
  readonly layout: ModelLayout
  readonly database: Database
  readonly transactions: { readonly entered: boolean }
  readonly versions: Pick<ContentVersions, 'ofTypes' | 'ofEntry'>
  /** Cost budget of one request (`rest.limits.cost`); the server's own reads are free. */
  readonly costLimit: number
}

export function createReads({ layout, database, transactions, versions, costLimit }: ReadsOptions) {
  const { dialect } = database
  const cache = new BoundedCache<ReadStatements>({ name: 'reads', budget: cacheBudgets.reads })
  const findTotal = createTotalCache()
  const statistics = createStatistics(layout, database)

  function compile(plan: ReadPlan): ReadStatements {
    const facts = getFacts(plan)
    let found = cache.get(facts.key)
    if (found === undefined) {
      assertSize(facts)
      found = compileRead(plan, layout, dialect)
      cache.offer(facts.key, found, facts.key.length + estimateBytes(found))
    }
    return found
  }

  /**
   * Compiles at the first call: expensive queries are refused before, because compiling them takes 100 ms.
   */
  function compileLater(query: Query): () => ReadStatements {
    let statements: ReadStatements | undefined
    return () => (statements ??= compile(query.plan))
  }

  /** The cost is computed again when the statistics may have changed. */
  function getCharge(query: Query, access: Access): (budget: RequestBudget) => void {
    const { plan, values, page } = query
    if (isServer(access) || costLimit === Number.POSITIVE_INFINITY || isFree(plan, values)) return () => {}
    let price: Price | undefined
    let version = -1
    return (budget) => {
      if (price === undefined || version !== statistics.version) {
        version = statistics.version
        price = getPrice(plan, values, page?.withCount === true, statistics)
      }
      budget.charge(price, costLimit)
    }
  }

  function* readIds({ plan, values }: Query): Work<ReadonlySet<number>> {
    const entries = yield* readEntries(compile(plan), values)
    return new Set(entries.map(getId))
  }

  /** Runs within a write, without limits. */
  function* find(type: ContentType, params: Params): Work<readonly EntryObject[]> {
    const query = planFind(type, params, everyPermission)
    const { statements, values } = yield* chooseStatements(compile(query.plan), query.values, compile)
    const entries = yield* readEntries(statements, values)
    return entries.map((entry) => toObject(query.plan, entry))
  }

  function prepareOne(
    type: ContentType,
    params: Params,
    access: Access,
    hideDrafts: boolean,
    ruled = true,
  ): EntryReader {
    // Slot 0 holds the id; every read sets its own.
    const query = traceWork('plan', () => planFindOne(type, 0, params, access, hideDrafts, ruled))
    const statements = compileLater(query)
    const chargePrice = getCharge(query, access)
    return {
      query,
      charge(budget) {
        chargePrice(budget)
        // Compiled here, so that a write does not compile its response inside its transaction.
        statements()
      },
      readWork: (id, budget) => readWithId(statements(), query, id, budget),
    }
  }

  /** Reads written entries, without the caller's rules, in the order of their ids; those that are gone are left out. */
  async function readWritten(
    type: ContentType,
    ids: readonly number[],
    params: Params,
    access: Access,
    budget: RequestBudget,
  ): Promise<readonly EntryRow[]> {
    const query = planFindOne(type, [0], params, access, false, false)
    const statements = compile(query.plan)
    const found = new Map<number, EntryRow>()
    for (let start = 0; start < ids.length; start += planLimits.listLength) {
      const values = [ids.slice(start, start + planLimits.listLength), ...query.values.slice(1)]
      const part = budget.part()
      const entries = await database.read(() => {
        part.again()
        return readEntries(statements, values, part)
      })
      for (const entry of entries) found.set(getId(entry), entry)
    }
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /** `version` belongs to the total; undefined: the total is counted. */
  function* readPage(
    compiled: ReadStatements,
    { plan, values: given }: Query,
    page: Page,
    version: number | undefined,
    budget: BudgetPart,
  ): Work<ReadResult> {
    budget.again()
    const { statements, values } = yield* chooseStatements(compiled, given, compile)
    const total = version === undefined ? undefined : findTotal(statements.count, values, version)
    const listed = page.withCount
      ? yield* readCounted(statements, values, budget, total, dialect.derivesTotals)
      : { entries: yield* readEntries(statements, values, budget), total: undefined }
    return { plan, page, ...listed, next: nextCursor(plan, page, listed.entries) }
  }

  const prepareFind: Reads['prepareFind'] = (type, params, access, limits) => {
    const query = traceWork('plan', () => planFind(type, params, access, limits))
    const { plan } = query
    const statements = compileLater(query)
    const charge = getCharge(query, access)
    const { types, listTypes } = getFacts(plan)
    const version = getVersion(types)
    return {
      plan,
      dependencies: () => version,
      run({ pagination } = {}, { mayLag, budget = createRequestBudget() } = {}) {
        const paged = pagination === undefined ? query : withPage(query, planPage(pagination, limits))
        const { page } = paged
        invariant(page !== undefined, 'a list has a page')
        if (paged === query) charge(budget)
        else getCharge(paged, access)(budget)
        const compiled = statements()
        // Taken before the read, so that a total never counts as a later one.
        const counts = page.withCount && !transactions.entered ? versions.ofTypes(listTypes) : undefined
        const part = budget.part()
        const work = (): Work<ReadResult> => readPage(compiled, paged, page, counts, part)
        const single = isOneStatement(plan) && compiled.lookups.length === 0
        return database.read(work, { single, mayLag })
      },
    }
  }

  function getVersion(uids: readonly string[]): Version {
    return () => (transactions.entered ? undefined : versions.ofTypes(uids))
  }

  /** `isPossible`: whether the id may exist; if not, the database is not queried. */
  function prepareById(
    query: Query,
    access: Access,
    isPossible: (id: number | string) => boolean,
  ): PreparedRead {
    const { plan } = query
    const statements = compileLater(query)
    const charge = getCharge(query, access)
    const { types } = getFacts(plan)
    const version = getVersion(types)
    const [own] = types
    const single = isOneStatement(plan)
    const isAlone = single && looksAtItself(plan)
    return {
      plan,
      dependencies({ id } = {}) {
        if (!isAlone || own === undefined || typeof id !== 'number') return version
        return () => (transactions.entered ? undefined : versions.ofEntry(own, id))
      },
      run({ id } = {}, { mayLag, budget = createRequestBudget() } = {}) {
        charge(budget)
        if (id === undefined || !isPossible(id)) return foundOne(plan, undefined)
        const compiled = statements()
        const part = budget.part()
        const work = (): Work<ReadResult> => readOne(compiled, query, id, part)
        return database.read(work, { single, mayLag })
      },
    }
  }

  const prepareFindOne: Reads['prepareFindOne'] = (type, params, access, hideDrafts) =>
    prepareById(
      traceWork('plan', () => planFindOne(type, 0, params, access, hideDrafts)),
      access,
      () => true,
    )

  const prepareFindDocument: Reads['prepareFindDocument'] = (type, params, access) =>
    prepareById(
      traceWork('plan', () => planFindDocument(type, params, access)),
      access,
      (id) => mayExist(String(id)),
    )

  return {
    get compiledPlans() {
      return cache.size
    },
    scans: (maxRows: number) =>
      listScans(
        cache.entries().map(([, { plan }]) => plan),
        { layout, dialect, statistics, maxRows },
      ),
    readIds,
    find,
    readWritten,
    prepareOne,
    prepareFind,
    prepareFindOne,
    prepareFindDocument,
    prepareAggregate: createAggregates({ layout, database, getCharge, getVersion }),
  }
}

/** `id` takes the place of the first value, which every query for one entry reserves for it. */
function* readWithId(
  statements: ReadStatements,
  { values }: Query,
  id: number | string,
  budget?: BudgetPart,
): Work<EntryRow | undefined> {
  budget?.again()
  const [entry] = yield* readEntries(statements, [id, ...values.slice(1)], budget)
  return entry
}

function* readOne(
  statements: ReadStatements,
  query: Query,
  id: number | string,
  budget: BudgetPart,
): Work<ReadResult> {
  return foundOne(query.plan, yield* readWithId(statements, query, id, budget))
}

function foundOne(plan: ReadPlan, entry: EntryRow | undefined): ReadResult {
  return { plan, entries: entry === undefined ? [] : [entry], page: undefined, total: undefined }
}

function isOneStatement({ populate, locales }: ReadPlan): boolean {
  return populate.length === 0 && locales === undefined
}

/** Null behind the last page; undefined without a cursor in the request. */
function nextCursor(
  { columns, locales, keyset }: ReadPlan,
  page: Page,
  entries: readonly EntryRow[],
): string | null | undefined {
  if (page.kind !== 'after' || keyset === undefined) return undefined
  const last = entries.at(-1)
  if (last === undefined || entries.length < page.pageSize) return null
  const start = last.at + 1 + columns.length + (locales === undefined ? 0 : 1)
  const values = keyset.attributes.map(({ type }, index) => {
    const stored = last.row[start + index]
    return stored === null || stored === undefined ? 'null' : attributeTypes[type].toJson(stored)
  })
  return formatCursor(keyset.mark, values)
}

/** No stored text contains NUL, so the database is not queried. */
export function mayExist(documentId: string): boolean {
  return !documentId.includes('\0')
}
