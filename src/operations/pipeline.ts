// Serves operations over HTTP, from the permission check to the encoded response.

import type { Guard, GuardedHandler } from '../access/guard.ts'
import type { Permissions, Principal } from '../access/principal.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { AggregateInput } from '../plan/aggregate-plan.ts'
import type { NumberedPage, Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { AggregateResult, PreparedRead } from '../query/reads.ts'
import { createCacheStep } from './cache-step.ts'
import { hasIdempotencyKey, type Idempotency } from './idempotency.ts'
import type {
  Operation,
  Payload,
  ReadOperation,
  SummaryOperation,
  WriteOperation,
  WriteOutput,
} from './operation.ts'
import { assertCondition, readVersions, throwAsCondition, wantsNew } from './preconditions.ts'
import { createQueryCache } from './query-cache.ts'
import { getRequestBudget, ownData, ownFilters } from './request-additions.ts'
import type { ResponseCache } from './response-cache.ts'

/** An API's mapping of requests to inputs of operations, and of outputs to responses. */
export interface Face<Query> {
  readonly limits: PageLimits
  /** Parses a query string, apart from a list's page by number: all pages share one plan. */
  parseQuery(operation: Operation, text: string): ParsedPage<Query>
  toParams(operation: Operation, query: Query, caller: Permissions): Params
  /** Runs `write` with the payload, and removes uploaded files when `write` fails. */
  withPayload(
    operation: Operation,
    request: HttpRequest,
    by: Principal,
    write: (payload: Payload) => Promise<Reply>,
  ): Promise<Reply>
  /** Whether the query alone decides the form of the response. */
  isCacheable(request: HttpRequest): boolean
  encodeSummary(operation: SummaryOperation, result: AggregateResult): Reply
  encode(
    operation: Operation,
    output: WriteOutput | Promise<WriteOutput> | undefined,
    request: HttpRequest,
  ): Reply | Promise<Reply>
}

interface ParsedPage<Query> {
  readonly query: Query
  readonly pagination?: NumberedPage | undefined
  /** For operations on many entries. */
  readonly dryRun?: boolean
  /** For summaries. */
  readonly aggregate?: AggregateInput
}

export interface Pipeline {
  serve<Query>(operation: Operation, face: Face<Query>): Route['handler']
}

export function createPipeline(guard: Guard, cache: ResponseCache, idempotency: Idempotency): Pipeline {
  const queries = createQueryCache()

  function serveRead<Query>(operation: ReadOperation, face: Face<Query>): Route['handler'] {
    const cached = createCacheStep(operation.type, cache)
    const isList = operation.output === 'list'

    interface PagedRead {
      readonly prepared: PreparedRead
      readonly pagination?: NumberedPage | undefined
    }
    const prepare = (query: Query, caller: Permissions, own?: Params['own']): PagedRead => {
      const asked = face.toParams(operation, query, caller)
      const params = isList ? asked : { ...asked, withVersion: true }
      const prepared = operation.prepare(own === undefined ? params : { ...params, own }, caller, {
        limits: face.limits,
      })
      return { prepared }
    }
    // Query strings that differ only in the page or in spelling share a plan.
    const preparePages = queries.through((query: Query, caller) => prepare(query, caller), JSON.stringify)
    const prepareText = queries.through((text: string, caller): PagedRead => {
      const { query, pagination } = face.parseQuery(operation, text)
      return isList ? { ...preparePages(query, caller), pagination } : prepare(query, caller)
    }, String)
    /** Filters that code added are not part of the query string, so these plans are not cached. */
    const prepareOwn = (text: string, caller: Permissions, own: Params['own']): PagedRead => {
      const { query, pagination } = face.parseQuery(operation, text)
      return { ...prepare(query, caller, own), pagination }
    }

    return guard.protect(operation.permission, (request, [id], { permissions: caller }) =>
      cached(request, caller, face.isCacheable(request), () => {
        const own = isList ? ownFilters(request) : undefined
        const { prepared, pagination } =
          own === undefined ? prepareText(request.query, caller) : prepareOwn(request.query, caller, own)
        const input = { id, pagination }
        return {
          dependencies: prepared.dependencies(input),
          run() {
            const output = prepared.run(input, { mayLag: true, budget: getRequestBudget(request) })
            return face.encode(operation, output, request)
          },
        }
      }),
    )
  }

  function serveSummary<Query>(operation: SummaryOperation, face: Face<Query>): Route['handler'] {
    const cached = createCacheStep(operation.type, cache)
    const prepare = (text: string, caller: Permissions, own?: Params['own']) => {
      const { query, pagination, aggregate } = face.parseQuery(operation, text)
      invariant(aggregate !== undefined, 'a summary is parsed')
      const params = { ...face.toParams(operation, query, caller), ...(pagination && { pagination }) }
      const summary = operation.prepare(own === undefined ? params : { ...params, own }, aggregate, caller)
      return { summary, prepared: { plan: summary.plan.entries } }
    }
    const prepareText = queries.through((text: string, caller) => prepare(text, caller), String)

    const serve: GuardedHandler = (request, _parameters, { permissions: caller }) =>
      cached(request, caller, face.isCacheable(request), () => {
        const own = ownFilters(request)
        const { summary } =
          own === undefined ? prepareText(request.query, caller) : prepare(request.query, caller, own)
        return {
          dependencies: summary.dependencies(),
          async run() {
            const result = await summary.run({ mayLag: true, budget: getRequestBudget(request) })
            return face.encodeSummary(operation, result)
          },
        }
      })
    return guard.protect(operation.permission, serve, operation.action)
  }

  function serveWrite<Query>(operation: WriteOperation, face: Face<Query>): Route['handler'] {
    const withVersion = operation.output === 'entry'
    const preparedOutput = (shown: 'live' | 'draft') =>
      queries.through((text: string, caller) => {
        const params = face.toParams(operation, face.parseQuery(operation, text).query, caller)
        return { prepared: operation.prepareOutput({ ...params, withVersion }, caller, shown) }
      }, String)
    const outputs = { live: preparedOutput('live'), draft: preparedOutput('draft') }

    return guard.protect(operation.permission, async (request, [id], by) => {
      const { permissions: caller } = by
      // An error of the query is reported before an error of the body.
      const { query, dryRun } = face.parseQuery(operation, request.query)
      const prepared = operation.prepare(face.toParams(operation, query, caller), caller)
      const ifVersion = readVersions(request)
      const onlyNew = wantsNew(request)
      assertCondition(operation, request.header('if-match') !== undefined || onlyNew)
      const run = async (payload: Payload): Promise<Reply> => {
        const writing = prepared.run(
          { ...payload, id },
          {
            by,
            own: ownData(request),
            budget: getRequestBudget(request),
            dryRun,
            ifVersion,
            onlyNew,
            output: (shown) => outputs[shown](request.query, caller).prepared,
          },
        )
        const output = onlyNew ? await writing.catch(throwAsCondition) : await writing
        return face.encode(operation, output, request)
      }
      const write = hasIdempotencyKey(request)
        ? async (payload: Payload) => await idempotency.through(request, by, payload, () => run(payload))
        : run
      return operation.takes.length > 0 ? face.withPayload(operation, request, by, write) : write({})
    })
  }

  return {
    serve(operation, face) {
      switch (operation.effect) {
        case 'read':
          return serveRead(operation, face)
        case 'write':
          return serveWrite(operation, face)
        case 'summarize':
          return serveSummary(operation, face)
      }
    },
  }
}
