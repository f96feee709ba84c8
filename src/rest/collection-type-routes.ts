// The five routes of a collection type: find, findOne, create, update, delete.

import type { Guard } from '../auth/guard.ts'
import type { Permissions, Principal } from '../auth/principal.ts'
import type {
  Content,
  PreparedAnswer,
  PreparedList,
  PreparedOne,
  WriteOptions,
  Written,
} from '../content/content.ts'
import { createAnswerBudget } from '../content/rows/answer-budget.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { parseId } from '../plan/parse-id.ts'
import { createAnswerRead } from './answer-read.ts'
import { createEntryEncoder, type EncodeEntry } from './entry-encoder.ts'
import { listReply, oneEnvelope, writtenReply } from './envelope.ts'
import { ownData, ownFilters } from './own-parts.ts'
import { withData } from './parse-data.ts'
import { splitPagination } from './parse-pagination.ts'
import { parseParams, toParams } from './parse-params.ts'
import { type ParsedQuery, parseQueryString } from './query-string.ts'
import { notFound, type RestOptions, refuseHiddenDrafts } from './rest-options.ts'
import type { QueryPlace } from './unused-parameters.ts'

/** The prepared query of a query string, with the encoder of its answer. */
interface PlannedQuery<P> {
  readonly prepared: P
  readonly encode: EncodeEntry
}

export function collectionTypeRoutes(
  type: ContentType,
  content: Content,
  guard: Guard,
  options: RestOptions,
): readonly Route[] {
  const list = `${options.prefix}/${type.pluralName}`
  const one = `${list}/:id`
  const paramsOf = (query: string, place: QueryPlace): Params => parseParams(query, options, { type, place })
  const answerRead = createAnswerRead(type, options.keptAnswers)

  const prepareList = (
    query: ParsedQuery,
    permissions: Permissions,
    own?: Params['own'],
  ): PlannedQuery<PreparedList> => {
    const subject = { type, place: 'list' } as const
    const params = { ...toParams(query, options, subject), ...(own === undefined ? {} : { own }) }
    refuseHiddenDrafts(type, params, permissions)
    const prepared = content.prepareFind(type, params, permissions, options)
    return { prepared, encode: createEntryEncoder(prepared.plan) }
  }

  const understandPages = options.rememberQueries(
    (query: ParsedQuery, permissions) => prepareList(query, permissions),
    JSON.stringify,
  )
  const understandList = options.rememberQueries((text, permissions) => {
    const { query, pagination } = splitPagination(parseQueryString(text, false))
    return { ...understandPages(query, permissions), pagination }
  })

  const understandOne = options.rememberQueries(
    (query: string, permissions: Permissions): PlannedQuery<PreparedOne> => {
      const hideDrafts = !permissions.seesDrafts(type)
      const prepared = content.prepareFindOne(type, paramsOf(query, 'entry'), permissions, hideDrafts)
      return { prepared, encode: createEntryEncoder(prepared.plan) }
    },
  )

  const understandAnswer = options.rememberQueries(
    (query: string, permissions: Permissions): PlannedQuery<PreparedAnswer> => {
      const prepared = content.prepareAnswer(type, paramsOf(query, 'written'), permissions)
      return { prepared, encode: createEntryEncoder(prepared.plan) }
    },
  )

  /** One literal: V8 gives an object that is spread and added to a shape of its own each time, which every use then misses. */
  const writeOptions = (
    params: Params,
    principal: Principal,
    request: HttpRequest,
    answer?: () => PreparedAnswer,
  ): WriteOptions => ({
    params,
    access: principal.permissions,
    by: principal,
    own: ownData(request),
    budget: createAnswerBudget(request),
    answer,
  })

  /** Creates or updates; the answer is planned once for each query. */
  async function write(
    request: HttpRequest,
    principal: Principal,
    run: (data: Readonly<Record<string, unknown>>, options: WriteOptions) => Promise<Written>,
  ): Promise<Reply> {
    // First, because a fault in the query is reported before one in the body.
    const params = paramsOf(request.query, 'written')
    return withData(request, type, { intake: options.files, by: principal }, async (data) => {
      const understood = (): PlannedQuery<PreparedAnswer> =>
        understandAnswer(request.query, principal.permissions)
      const answer = (): PreparedAnswer => understood().prepared
      const written = await run(data, writeOptions(params, principal, request, answer))
      return writtenReply(written, understood().encode)
    })
  }

  const routes: (Route & { readonly action: string })[] = [
    {
      action: 'find',
      method: 'GET',
      path: list,
      handler: guard.protect(`${type.uid}.find`, (request, _parameters, principal) => {
        const { permissions } = principal
        return answerRead(request, permissions, () => {
          const own = ownFilters(request)
          // Filters that code added are not part of the query string, so such a query must not be cached under it.
          const { prepared, encode, pagination } =
            own === undefined
              ? understandList(request.query, permissions)
              : {
                  ...prepareList(parseQueryString(request.query, false), permissions, own),
                  pagination: undefined,
                }
          return {
            version: prepared.version,
            read: () =>
              listReply(
                prepared.read({ mayLag: true, budget: createAnswerBudget(request), pagination }),
                encode,
              ),
          }
        })
      }),
    },
    {
      action: 'findOne',
      method: 'GET',
      path: one,
      handler: guard.protect(`${type.uid}.findOne`, (request, [id], principal) => {
        const { permissions } = principal
        return answerRead(request, permissions, () => {
          const { prepared, encode } = understandOne(request.query, permissions)
          const number = idOf(id)
          const answer = (entry: Awaited<ReturnType<PreparedOne['read']>>): Reply => {
            if (entry === undefined) throw notFound()
            return jsonReply(200, oneEnvelope(entry, encode))
          }
          return {
            version: prepared.entryVersion(number),
            read() {
              const entry = prepared.read(number, { mayLag: true, budget: createAnswerBudget(request) })
              // Embedded engines return synchronously; the request is then answered synchronously, too.
              return entry instanceof Promise ? entry.then(answer) : answer(entry)
            },
          }
        })
      }),
    },
    {
      action: 'create',
      method: 'POST',
      path: list,
      handler: guard.protect(`${type.uid}.create`, (request, _parameters, principal) =>
        write(request, principal, (data, answered) => content.create(type, data, answered)),
      ),
    },
    {
      action: 'update',
      method: 'PUT',
      path: one,
      handler: guard.protect(`${type.uid}.update`, (request, [id], principal) =>
        write(request, principal, (data, answered) => content.update(type, idOf(id), data, answered)),
      ),
    },
    {
      action: 'delete',
      method: 'DELETE',
      path: one,
      handler: guard.protect(`${type.uid}.delete`, async (request, [id], principal) => {
        const params = paramsOf(request.query, 'written')
        return writtenReply(await content.delete(type, idOf(id), writeOptions(params, principal, request)))
      }),
    },
  ]
  return routes.filter((route) => type.rest.actions.has(route.action))
}

function idOf(text: string | undefined): number {
  const id = parseId(text)
  if (id === undefined) throw notFound()
  return id
}
