// The routes of GraphQL over HTTP: finds the caller, runs the operations, and sends the answer as a reply.

import type { Principal } from '../../../access/principal.ts'
import type { OpenSubscription, SubscriptionLimits } from '../../../access/subscription-limits.ts'
import { deriveRequest } from '../../../http/derive-request.ts'
import { isPromise, type Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Method, Route } from '../../../http/route.ts'
import type { CacheQuery, ResponseCache } from '../../../operations/response-cache.ts'
import type { Dependencies } from '../../../query/dependencies.ts'
import type { FileIntake } from '../../../write/file-intake.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { onceFault } from '../execution/operation-limits.ts'
import type { OperationResult, Operations, RunOptions } from '../execution/operations.ts'
import { isPlainJson, queryAsSent, queryByParameters } from './cache-queries.ts'
import { eventStreamReply, wantsStream } from './event-stream-reply.ts'
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
import { jsonFault, RequestFault, textFault } from './request-fault.ts'
import { buildReply, type ResponseFormat, responseFormat, withCaching } from './response-format.ts'

interface GraphqlRouteOptions {
  readonly settings: GraphqlSettings
  /** Called for each request, because an app has its schema only once it is prepared. */
  operations(): Operations
  /** Throws UnauthorizedError for an invalid token. */
  principalOf(request: HttpRequest): Principal | Promise<Principal>
  /** The context for resolvers: a new object for each operation. */
  buildContext(request: HttpRequest, principal: Principal): GraphqlContext
  readonly cache: ResponseCache
  readonly limits: SubscriptionLimits
  readonly explorer: Explorer | undefined
  /** The reply to the handshake of a WebSocket; undefined for other requests. */
  socketReply(request: HttpRequest): Reply | undefined
  /** Receives the files of multipart requests; undefined if the upload plugin is off. */
  readonly files: FileIntake | undefined
}

export function graphqlRoutes(options: GraphqlRouteOptions): readonly Route[] {
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
    const answer = isAnswerPromise(ran) ? ran.then(withStatus(context)) : ran
    if (parameters.persistedQuery === undefined) return answer
    return isAnswerPromise(answer) ? answer.then(kept(parameters)) : kept(parameters)(answer)
  }

  function withStatus(context: GraphqlContext): (answer: OperationResult) => OperationResult {
    return (answer) => (context.status === undefined ? answer : { ...answer, status: context.status })
  }

  /** Persists only documents that ran. */
  function kept(parameters: Parameters): (answer: OperationResult) => OperationResult {
    return (answer) => {
      if (answer.kind === 'executed') persisted.keep(parameters)
      return answer
    }
  }

  function formatFor(request: HttpRequest): ResponseFormat {
    return responseFormat(request.header('accept'), protocol)
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
      // What a hash stands for may be forgotten, so that its response is cached by the document.
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
      // A document that comes with its hash is persisted once it ran.
      if (isCached) persisted.keep(only)
      return reply
    }
    dependencies?.addUnknown()
    const format = formatFor(request)
    assertOnce(requests)
    const answers = requests.map((each) => runOne(each, request, principal, { readOnly }))
    return Promise.all(answers).then((made) => ({
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
    const answer = runOne(parameters, request, principal, { readOnly, dependencies })
    return isAnswerPromise(answer) ? answer.then(reply) : reply(answer)
  }

  function cached(
    query: CacheQuery | undefined,
    make: (dependencies: Dependencies | undefined) => Reply | Promise<Reply>,
  ): Reply | Promise<Reply> {
    return query === undefined ? make(undefined) : options.cache.through(query, make)
  }

  /** The answers of one operation as they come; for subscriptions. */
  function getStream({ requests }: RequestedOperations, request: HttpRequest, principal: Principal): Reply {
    const [only] = requests
    if (only === undefined || requests.length > 1)
      throw jsonFault(400, 'A stream answers one operation.', 'BAD_USER_INPUT')
    const asked = { ...only, query: persisted.getDocument(only) }
    const gone = new AbortController()
    const context = options.buildContext(deriveRequest(request, { signal: gone.signal }), principal)
    const open = (): OpenSubscription => options.limits.connect(request.address).open(principal)
    const started = options.operations().subscribe(asked, context, open)
    const answers = 'answers' in started ? started.answers : once(started.answer)
    return eventStreamReply(answers, () => gone.abort())
  }

  /** A list of operations must not be a way to try ten passwords at once. */
  function assertOnce(requests: readonly Parameters[]): void {
    const counts = requests.map((parameters) =>
      options.operations().countOnce({ ...parameters, query: persisted.getDocument(parameters) }),
    )
    const count = counts.reduce((sum, one) => sum + one, 0)
    if (count > 1) throw jsonFault(400, onceFault(count), 'BAD_USER_INPUT')
  }

  /** Turns refusals of requests into replies; the gateway handles other errors. */
  function answering(
    answer: (request: HttpRequest) => Reply | Promise<Reply>,
  ): (request: HttpRequest) => Reply | Promise<Reply> {
    const refused = (error: unknown): Reply => {
      if (error instanceof RequestFault) return error.reply(protocol)
      throw error
    }
    return (request) => {
      try {
        const reply = answer(request)
        return isPromise(reply) ? reply.catch(refused) : reply
      } catch (error) {
        return refused(error)
      }
    }
  }

  /** A fault of the query string is reported before one of the token. */
  function callerOfQuery(request: HttpRequest): Principal | Promise<Principal> {
    const refused = (error: unknown): never => {
      readQuery(request)
      throw error
    }
    try {
      const principal = options.principalOf(request)
      return principal instanceof Promise ? principal.catch(refused) : principal
    } catch (error) {
      return refused(error)
    }
  }

  /** The query, before it is parsed. A client that takes no response is told so after the faults of its query. */
  function querySent(request: HttpRequest, principal: Principal, body?: Uint8Array): CacheQuery | undefined {
    let format: ResponseFormat
    try {
      format = formatFor(request)
    } catch {
      return undefined
    }
    return queryAsSent(request, principal, format, body)
  }

  function answerQuery(request: HttpRequest, principal: Principal): Reply | Promise<Reply> {
    return cached(querySent(request, principal), (dependencies) =>
      run(readQuery(request), request, principal, dependencies),
    )
  }

  function answerBody(request: HttpRequest, principal: Principal): Reply | Promise<Reply> {
    if (!isPlainJson(request)) return answerParsed(request, principal, undefined, undefined)
    const bytes = request.body.arrived()
    return bytes === undefined
      ? request.body.bytes().then((read) => answerBytes(request, principal, read))
      : answerBytes(request, principal, bytes)
  }

  function answerBytes(
    request: HttpRequest,
    principal: Principal,
    bytes: Uint8Array,
  ): Reply | Promise<Reply> {
    return cached(querySent(request, principal, bytes), (dependencies) =>
      answerParsed(request, principal, bytes, dependencies),
    )
  }

  function answerParsed(
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
    const answer = (parsed: RequestedOperations): Reply | Promise<Reply> =>
      wantsStream(request)
        ? getStream(parsed, request, principal)
        : run(parsed, request, principal, dependencies)
    return withBody(request, settings, reader, answer, bytes)
  }

  const refuseMethod = answering((request) => {
    assertNoForgery(request, settings)
    const message = 'Apollo Server supports only GET/POST requests.'
    throw textFault(405, message, { allow: 'GET, POST' })
  })
  const others: readonly Method[] = ['PUT', 'PATCH', 'DELETE']
  return [
    {
      method: 'GET',
      path: endpoint,
      handler: answering((request) => {
        if (request.method === 'HEAD') return refuseMethod(request)
        const socket = options.socketReply(request)
        if (socket !== undefined) return socket
        const page = explorer?.pageFor(request)
        if (page !== undefined) return page
        assertNoForgedQuery(request, settings)
        const principal = callerOfQuery(request)
        return principal instanceof Promise
          ? principal.then((known) => answerQuery(request, known))
          : answerQuery(request, principal)
      }),
    },
    {
      method: 'POST',
      path: endpoint,
      handler: answering((request) => {
        assertNoForgery(request, settings)
        const principal = options.principalOf(request)
        return principal instanceof Promise
          ? principal.then((known) => answerBody(request, known))
          : answerBody(request, principal)
      }),
    },
    ...others.map((method) => ({ method, path: endpoint, undocumented: true, handler: refuseMethod })),
    ...(explorer?.routes(endpoint) ?? []),
  ]
}

function isAnswerPromise(
  answer: OperationResult | Promise<OperationResult>,
): answer is Promise<OperationResult> {
  return 'then' in answer
}

async function* once(answer: OperationResult | Promise<OperationResult>): AsyncGenerator<OperationResult> {
  yield await answer
}
