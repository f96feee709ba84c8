// Serves operations over HTTP, from the permission check to the encoded response.

import type { Guard } from '../access/guard.ts'
import type { Permissions, Principal } from '../access/principal.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import type { NumberedPage, Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { PreparedRead } from '../query/reads.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import { createRequestBudget } from '../query/rows/request-budget.ts'
import { createCacheStep } from './cache-step.ts'
import { hasIdempotencyKey, type Idempotency } from './idempotency.ts'
import type { Data, Operation, ReadOperation, WriteOperation } from './operation.ts'
import { createQueryCache } from './query-cache.ts'
import { ownData, ownFilters } from './request-additions.ts'
import type { ResponseCache } from './response-cache.ts'

/** An API's mapping of requests to inputs of operations, and of outputs to responses. */
export interface Face<Query> {
  readonly limits: PageLimits
  /** Parses a query string, apart from a list's page by number: all pages share one plan. */
  parseQuery(operation: Operation, text: string): ParsedPage<Query>
  toParams(operation: Operation, query: Query, caller: Permissions): Params
  /** Runs `write` with the payload, and removes uploaded files when `write` fails. */
  withData(
    operation: Operation,
    request: HttpRequest,
    by: Principal,
    write: (data: Data) => Promise<Reply>,
  ): Promise<Reply>
  /** Whether the query alone decides the form of the response. */
  isCacheable(request: HttpRequest): boolean
  encode(
    operation: Operation,
    output: ReadResult | Promise<ReadResult> | undefined,
    request: HttpRequest,
  ): Reply | Promise<Reply>
}

interface ParsedPage<Query> {
  readonly query: Query
  readonly pagination?: NumberedPage | undefined
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
      const params = face.toParams(operation, query, caller)
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
            const output = prepared.run(input, { mayLag: true, budget: createRequestBudget(request) })
            return face.encode(operation, output, request)
          },
        }
      }),
    )
  }

  function serveWrite<Query>(operation: WriteOperation, face: Face<Query>): Route['handler'] {
    const toParams = (text: string, caller: Permissions): Params =>
      face.toParams(operation, face.parseQuery(operation, text).query, caller)
    const preparedOutput = (shown: 'live' | 'draft') =>
      queries.through(
        (text: string, caller) => ({
          prepared: operation.prepareOutput(toParams(text, caller), caller, shown),
        }),
        String,
      )
    const outputs = { live: preparedOutput('live'), draft: preparedOutput('draft') }

    return guard.protect(operation.permission, async (request, [id], by) => {
      const { permissions: caller } = by
      // An error of the query is reported before an error of the body.
      const prepared = operation.prepare(toParams(request.query, caller), caller)
      const run = async (data?: Data): Promise<Reply> => {
        const output = await prepared.run(
          { id, data },
          {
            by,
            own: ownData(request),
            budget: createRequestBudget(request),
            output: (shown) => outputs[shown](request.query, caller).prepared,
          },
        )
        return face.encode(operation, output, request)
      }
      const write = hasIdempotencyKey(request)
        ? async (data?: Data) => await idempotency.through(request, by, data, () => run(data))
        : run
      return operation.hasData ? face.withData(operation, request, by, write) : write()
    })
  }

  return {
    serve: (operation, face) =>
      operation.effect === 'read' ? serveRead(operation, face) : serveWrite(operation, face),
  }
}
