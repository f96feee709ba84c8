// Handles GraphQL over HTTP: authenticates the caller, runs the operations, and sends the response.

import type { Principal } from '../../../access/principal.ts'
import type { OpenSubscription, SubscriptionLimits } from '../../../access/subscription-limits.ts'
import { deriveRequest } from '../../../http/derive-request.ts'
import { isPromise, type Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Method, Route } from '../../../http/route.ts'
import { hasIdempotencyKey, type Idempotency } from '../../../operations/idempotency.ts'
import type { CacheQuery, ResponseCache } from '../../../operations/response-cache.ts'
import type { Dependencies } from '../../../query/dependencies.ts'
import type { FileIntake } from '../../../write/file-intake.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { onceFault } from '../execution/operation-limits.ts'
import type { OperationResult, Operations, RunOptions } from '../execution/operations.ts'
import { isPlainJson, queryAsSent, queryByParameters } from './cache-queries.ts'
import { buildEventStreamReply, wantsStream } from './event-stream-reply.ts'
import type { Explorer } from './explorer.ts'
import type { GraphqlSettings } from './graphql-settings.ts'
import type { Parameters } from './parse-parameters.ts'
import { createPersistedQueries } from './persisted-queries.ts'
import {
  assertNoForgedQuery,
  assertNoForgery,
  type RequestedOperations,
  readQuery,
  withBody,
} from './read-request.ts'
import { createJsonFault, createTextFault, RequestFault } from './request-fault.ts'
import { buildReply, chooseResponseFormat, type ResponseFormat, withCaching } from './response-format.ts'

interface GraphqlRouteOptions {
  readonly settings: GraphqlSettings
  /** A function, because an app has its schema only once it is prepared. */
  operations(): Operations
  /** Throws UnauthorizedError for an invalid token. */
  findPrincipal(request: HttpRequest): Principal | Promise<Principal>
  /** Returns a new object for each operation. */
  buildContext(request: HttpRequest, principal: Principal): GraphqlContext
  readonly cache: ResponseCache
  readonly idempotency: Idempotency
  readonly limits: SubscriptionLimits
  readonly explorer: Explorer | undefined
  /** Undefined unless the request is a WebSocket handshake. */
  socketReply(request: HttpRequest): Reply | undefined
  /** Undefined if the upload plugin is off. */
  readonly files: FileIntake | undefined
}

export function createGraphqlRoutes(options: GraphqlRouteOptions): readonly Route[] {
  const { settings, explorer, files } = options
  const { endpoint, protocol } = settings
  const persisted = createPersistedQueries(settings.persistedQueries)

  function runOne(
    parameters: Parameters,
    request: HttpRequest,
    principal: Principal,
    running: RunOptions,
    query = persisted.getDocument(parameters),
  ): OperationResult | Promise<OperationResult> {
    const { variables, operationName } = parameters
    const context = options.buildContext(request, principal)
    const ran = options.operations().run({ query, variables, operationName }, context, running)
    const result = isResultPromise(ran) ? ran.then(withStatus(context)) : ran
    if (parameters.persistedQuery === undefined) return result
    return isResultPromise(result)
      ? result.then(persistIfExecuted(parameters))
      : persistIfExecuted(parameters)(result)
  }

  function withStatus(context: GraphqlContext): (result: OperationResult) => OperationResult {
    return (result) => (context.status === undefined ? result : { ...result, status: context.status })
  }

  function persistIfExecuted(parameters: Parameters): (result: OperationResult) => OperationResult {
    return (result) => {
      if (result.kind === 'executed') persisted.keep(parameters)
      return result
    }
  }

  function formatFor(request: HttpRequest): ResponseFormat {
    return chooseResponseFormat(request.header('accept'), protocol)
  }

  function run(
    { requests, batched, readOnly }: RequestedOperations,
    request: HttpRequest,
    principal: Principal,
    dependencies: Dependencies | undefined,
  ): Reply | Promise<Reply> {
    const [only] = requests
    if (!batched && only !== undefined) {
      if (only.persistedQuery === undefined) return respond(only, request, principal, readOnly, dependencies)
      // The store may drop the hash's document, so the response is cached by the document.
      dependencies?.addUnknown()
      const query = queryByParameters(
        request,
        principal,
        formatFor(request),
        only,
        persisted.getDocument(only),
      )
      let isCached = true
      const reply = cached(query, (own) => {
        isCached = false
        return respond(only, request, principal, readOnly, own)
      })
      if (isCached) persisted.keep(only)
      return reply
    }
    dependencies?.addUnknown()
    const format = formatFor(request)
    assertOnce(requests)
    const results = requests.map((each) => runOne(each, request, principal, { readOnly }))
    return Promise.all(results).then((made) => ({
      status: 200,
      body: `[${made.map(({ body }) => body).join(',')}]`,
      contentType: format.contentType,
    }))
  }

  function respond(
    parameters: Parameters,
    request: HttpRequest,
    principal: Principal,
    readOnly: boolean,
    dependencies: Dependencies | undefined,
  ): Reply | Promise<Reply> {
    const format = formatFor(request)
    const reply = (made: OperationResult): Reply => {
      if (made.dependencies === undefined) dependencies?.addUnknown()
      return withCaching(buildReply(made, format, protocol), made, request)
    }
    const result = runOne(parameters, request, principal, { readOnly, dependencies })
    return isResultPromise(result) ? result.then(reply) : reply(result)
  }

  function cached(
    query: CacheQuery | undefined,
    make: (dependencies: Dependencies | undefined) => Reply | Promise<Reply>,
  ): Reply | Promise<Reply> {
    return query === undefined ? make(undefined) : options.cache.through(query, make)
  }

  function getStream({ requests }: RequestedOperations, request: HttpRequest, principal: Principal): Reply {
    const [only] = requests
    if (only === undefined || requests.length > 1)
      throw createJsonFault(400, 'A stream answers one operation.', 'BAD_USER_INPUT')
    const asked = { ...only, query: persisted.getDocument(only) }
    const gone = new AbortController()
    const context = options.buildContext(deriveRequest(request, { signal: gone.signal }), principal)
    const open = (): OpenSubscription => options.limits.connect(request.address).open(principal)
    const started = options.operations().subscribe(asked, context, open)
    const results = 'results' in started ? started.results : once(started.result)
    return buildEventStreamReply(results, () => gone.abort())
  }

  /** Logins are refused, because their tokens would be stored. */
  function runOnce(
    parsed: RequestedOperations,
    request: HttpRequest,
    principal: Principal,
    dependencies: Dependencies | undefined,
  ): Reply | Promise<Reply> {
    if (!hasIdempotencyKey(request)) return run(parsed, request, principal, dependencies)
    const { requests } = parsed
    // A repeated response was read from nothing that the cache could watch.
    dependencies?.addUnknown()
    if (countOnce(requests) > 0)
      throw createJsonFault(
        400,
        'Idempotency-Key cannot be used with a login or a password.',
        'BAD_USER_INPUT',
      )
    return options.idempotency.through(request, principal, requests, () =>
      run(parsed, request, principal, dependencies),
    )
  }

  function countOnce(requests: readonly Parameters[]): number {
    return requests
      .map((parameters) =>
        options.operations().countOnce({ ...parameters, query: persisted.getDocument(parameters) }),
      )
      .reduce((sum, one) => sum + one, 0)
  }

  /** A batch must not be a way to try ten passwords at once. */
  function assertOnce(requests: readonly Parameters[]): void {
    const count = countOnce(requests)
    if (count > 1) throw createJsonFault(400, onceFault(count), 'BAD_USER_INPUT')
  }

  function withRefusals(
    result: (request: HttpRequest) => Reply | Promise<Reply>,
  ): (request: HttpRequest) => Reply | Promise<Reply> {
    const refused = (error: unknown): Reply => {
      if (error instanceof RequestFault) return error.reply(protocol)
      throw error
    }
    return (request) => {
      try {
        const reply = result(request)
        return isPromise(reply) ? reply.catch(refused) : reply
      } catch (error) {
        return refused(error)
      }
    }
  }

  /** An error of the query string is reported before one of the token. */
  function callerOfQuery(request: HttpRequest): Principal | Promise<Principal> {
    const refused = (error: unknown): never => {
      readQuery(request)
      throw error
    }
    try {
      const principal = options.findPrincipal(request)
      return principal instanceof Promise ? principal.catch(refused) : principal
    } catch (error) {
      return refused(error)
    }
  }

  /** An `Accept` error is reported only after the errors of the query. */
  function querySent(request: HttpRequest, principal: Principal, body?: Uint8Array): CacheQuery | undefined {
    let format: ResponseFormat
    try {
      format = formatFor(request)
    } catch {
      return undefined
    }
    return queryAsSent(request, principal, format, body)
  }

  function respondToQuery(request: HttpRequest, principal: Principal): Reply | Promise<Reply> {
    return cached(querySent(request, principal), (dependencies) =>
      run(readQuery(request), request, principal, dependencies),
    )
  }

  function respondToBody(request: HttpRequest, principal: Principal): Reply | Promise<Reply> {
    if (!isPlainJson(request)) return respondToParsed(request, principal, undefined, undefined)
    const bytes = request.body.arrived()
    return bytes === undefined
      ? request.body.bytes().then((read) => respondToBytes(request, principal, read))
      : respondToBytes(request, principal, bytes)
  }

  function respondToBytes(
    request: HttpRequest,
    principal: Principal,
    bytes: Uint8Array,
  ): Reply | Promise<Reply> {
    return cached(querySent(request, principal, bytes), (dependencies) =>
      respondToParsed(request, principal, bytes, dependencies),
    )
  }

  function respondToParsed(
    request: HttpRequest,
    principal: Principal,
    bytes: Uint8Array | undefined,
    dependencies: Dependencies | undefined,
  ): Reply | Promise<Reply> {
    const admit = (parameters: Parameters, variables: readonly string[]): void => {
      const given = { ...parameters, query: persisted.getDocument(parameters) }
      const refusal = options.operations().refusal(given, options.buildContext(request, principal), variables)
      if (refusal === undefined) return
      throw new RequestFault(buildReply(refusal, formatFor(request), protocol))
    }
    const reader = { files, admit }
    const result = (parsed: RequestedOperations): Reply | Promise<Reply> =>
      wantsStream(request)
        ? getStream(parsed, request, principal)
        : runOnce(parsed, request, principal, dependencies)
    return withBody(request, settings, reader, result, bytes)
  }

  const refuseMethod = withRefusals((request) => {
    assertNoForgery(request, settings)
    const message = 'Apollo Server supports only GET/POST requests.'
    throw createTextFault(405, message, { allow: 'GET, POST' })
  })
  const others: readonly Method[] = ['PUT', 'PATCH', 'DELETE']
  return [
    {
      method: 'GET',
      path: endpoint,
      handler: withRefusals((request) => {
        if (request.method === 'HEAD') return refuseMethod(request)
        const socket = options.socketReply(request)
        if (socket !== undefined) return socket
        const page = explorer?.pageFor(request)
        if (page !== undefined) return page
        assertNoForgedQuery(request, settings)
        const principal = callerOfQuery(request)
        return principal instanceof Promise
          ? principal.then((known) => respondToQuery(request, known))
          : respondToQuery(request, principal)
      }),
    },
    {
      method: 'POST',
      path: endpoint,
      handler: withRefusals((request) => {
        assertNoForgery(request, settings)
        const principal = options.findPrincipal(request)
        return principal instanceof Promise
          ? principal.then((known) => respondToBody(request, known))
          : respondToBody(request, principal)
      }),
    },
    ...others.map((method) => ({ method, path: endpoint, undocumented: true, handler: refuseMethod })),
    ...(explorer?.routes(endpoint) ?? []),
  ]
}

function isResultPromise(
  result: OperationResult | Promise<OperationResult>,
): result is Promise<OperationResult> {
  return 'then' in result
}

async function* once(result: OperationResult | Promise<OperationResult>): AsyncGenerator<OperationResult> {
  yield await result
}
