// The routes of a content-type that has documents: find, findOne, create, update and delete by documentId, and the
// actions on their versions. A single type has no documentId in its path.

import type { Guard } from '../../auth/guard.ts'
import type { Permissions, Principal } from '../../auth/principal.ts'
import type {
  Content,
  DocumentOptions,
  Documents,
  PreparedAnswer,
  PreparedDocument,
  PreparedList,
  Written,
} from '../../content/content.ts'
import { createAnswerBudget } from '../../content/rows/answer-budget.ts'
import type { EntryRow } from '../../content/rows/entry.ts'
import { ApiError } from '../../errors/api-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { versionActions } from '../../model/actions.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import { createAnswerRead, type PlannedAnswer } from '../answer-read.ts'
import { type AnswerShape, strapi5AsStrapi4, strapi5Shape } from '../answer-shape.ts'
import { createEntryEncoder, type EncodeEntry } from '../entry-encoder.ts'
import { listReply, oneEnvelope } from '../envelope.ts'
import { ownData, ownFilters } from '../own-parts.ts'
import { splitPagination } from '../parse-pagination.ts'
import { type ParsedQuery, parseQueryString } from '../query-string.ts'
import { notFound, type RestOptions, refuseHiddenDrafts } from '../rest-options.ts'
import { withDocumentData } from './document-data.ts'
import {
  type DocumentParams,
  type DocumentQueryRules,
  parseDocumentParams,
  parsePage,
} from './parse-document-params.ts'

/** A single type is read as a list of one. */
const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const

interface PlannedQuery<P> {
  readonly prepared: P
  encode(shape: AnswerShape): EncodeEntry
}

function planned<P extends { readonly plan: PreparedList['plan'] }>(prepared: P): PlannedQuery<P> {
  const encoders = new Map<AnswerShape, EncodeEntry>()
  return {
    prepared,
    encode(shape) {
      let encode = encoders.get(shape)
      if (encode === undefined) {
        encode = createEntryEncoder(prepared.plan, shape)
        encoders.set(shape, encode)
      }
      return encode
    },
  }
}

export function documentRoutes(
  type: ContentType,
  content: Content,
  guard: Guard,
  options: RestOptions & Pick<DocumentQueryRules, 'isUid'>,
): readonly Route[] {
  const { documents } = content
  invariant(documents !== undefined, `${type.uid} has documents`)
  const single = type.kind === 'singleType'
  const list = `${options.prefix}/${single ? type.singularName : type.pluralName}`
  const one = single ? list : `${list}/:id`

  const paramsOf = (query: ParsedQuery, permissions: Permissions, alone: boolean): DocumentParams => {
    const params = parseDocumentParams(query, type, permissions, options, alone)
    if (params.publicationState === 'draft')
      refuseHiddenDrafts(type, { publicationState: 'preview' }, permissions)
    return params
  }

  const prepareList = (query: ParsedQuery, permissions: Permissions, own?: Params['own']) => {
    const params = { ...paramsOf(query, permissions, false), ...(own === undefined ? {} : { own }) }
    return planned(content.prepareFind(type, params, permissions, options))
  }
  const understandPages = options.rememberQueries(
    (query: ParsedQuery, permissions) => prepareList(query, permissions),
    JSON.stringify,
  )
  const understandList = options.rememberQueries((text, permissions) => {
    const { query, pagination } = splitPagination(parseQueryString(text), (value) =>
      parsePage(value, options.defaultLimit),
    )
    return { ...understandPages(query, permissions), pagination }
  })

  const understandFirst = options.rememberQueries((query, permissions) => {
    const params = paramsOf(parseQueryString(query), permissions, true)
    // Of all locales there is no one document.
    const locale = params.locale === 'all' ? { locale: '*' } : {}
    return planned(content.prepareFind(type, { ...params, ...locale, pagination: FIRST }, permissions))
  })

  const understandOne = options.rememberQueries(
    (query: string, permissions: Permissions): PlannedQuery<PreparedDocument> => {
      const params = paramsOf(parseQueryString(query), permissions, true)
      const locale = params.locale === 'all' ? { locale: '*' } : {}
      return planned(content.prepareFindDocument(type, { ...params, ...locale }, permissions))
    },
  )

  const understandAnswer = (publicationState: 'live' | 'draft') =>
    options.rememberQueries((query: string, permissions: Permissions): PlannedQuery<PreparedAnswer> => {
      const params = { ...paramsOf(parseQueryString(query), permissions, true), publicationState }
      return planned(content.prepareAnswer(type, params, permissions))
    })
  const understandAnswerOf = { live: understandAnswer('live'), draft: understandAnswer('draft') }

  const answerRead = createAnswerRead(type, options.keptAnswers)

  function read(
    request: HttpRequest,
    { permissions }: Principal,
    plan: (shape: AnswerShape) => PlannedAnswer,
  ) {
    const shape = shapeOf(request)
    // Kept answers are told apart by their query.
    if (shape !== strapi5Shape) return answerRead.anew(request, () => plan(shape))
    return answerRead(request, permissions, () => plan(shape))
  }

  function foundReply(shape: AnswerShape, entry: EntryRow | undefined, encode: EncodeEntry): Reply {
    if (entry === undefined) throw notFound()
    return jsonReply(200, oneEnvelope(entry, encode, shape))
  }

  const find = (request: HttpRequest, principal: Principal): Reply | Promise<Reply> =>
    read(request, principal, (shape) => {
      const { permissions } = principal
      const own = ownFilters(request)
      const { prepared, encode, pagination } =
        own === undefined
          ? understandList(request.query, permissions)
          : { ...prepareList(parseQueryString(request.query), permissions, own), pagination: undefined }
      const encoded = encode(shape)
      return {
        version: prepared.version,
        read: () =>
          listReply(
            prepared.read({ mayLag: true, budget: createAnswerBudget(request), pagination }),
            encoded,
            shape,
          ),
      }
    })

  const findFirst = (request: HttpRequest, principal: Principal): Reply | Promise<Reply> =>
    read(request, principal, (shape) => {
      const { prepared, encode } = understandFirst(request.query, principal.permissions)
      return {
        version: prepared.version,
        async read() {
          const { entries } = await prepared.read({ mayLag: true, budget: createAnswerBudget(request) })
          return foundReply(shape, entries[0], encode(shape))
        },
      }
    })

  const findOne = (request: HttpRequest, id: string, principal: Principal): Reply | Promise<Reply> =>
    read(request, principal, (shape) => {
      const { prepared, encode } = understandOne(request.query, principal.permissions)
      const encoded = encode(shape)
      return {
        version: prepared.version,
        read() {
          const entry = prepared.read(id, { mayLag: true, budget: createAnswerBudget(request) })
          return entry instanceof Promise
            ? entry.then((later) => foundReply(shape, later, encoded))
            : foundReply(shape, entry, encoded)
        },
      }
    })

  /** Runs a write whose answer is planned once for each query. */
  async function write(
    status: number,
    request: HttpRequest,
    principal: Principal,
    run: (answered: DocumentOptions) => Promise<Written>,
  ): Promise<Reply> {
    const params = paramsOf(parseQueryString(request.query), principal.permissions, true)
    let understood: PlannedQuery<PreparedAnswer> | undefined
    const { entry } = await run({
      ...writeOptions(params, principal, request),
      answer(shown) {
        understood = understandAnswerOf[shown](request.query, principal.permissions)
        return understood.prepared
      },
    })
    invariant(understood !== undefined, 'a write prepares its answer')
    const shape = shapeOf(request)
    const encode = understood.encode(shape)
    return jsonReply(status, oneEnvelope(entry, encode, shape))
  }

  const writeOptions = (
    params: DocumentParams,
    principal: Principal,
    request: HttpRequest,
  ): DocumentOptions => ({
    params,
    access: principal.permissions,
    by: principal,
    own: ownData(request),
    status: params.publicationState === 'draft' ? 'draft' : 'published',
    locale: params.locale === 'all' ? '*' : params.locale,
  })

  type Action = (typeof versionActions)[number]
  const act = (action: Action): Documents[Action] => documents[action]

  const routes: (Route & { readonly action: string })[] = [
    {
      action: 'find',
      method: 'GET',
      path: list,
      handler: guard.protect(`${type.uid}.find`, (request, _parameters, principal) =>
        single ? findFirst(request, principal) : find(request, principal),
      ),
    },
    {
      action: 'findOne',
      method: 'GET',
      path: one,
      handler: guard.protect(`${type.uid}.findOne`, (request, [id = ''], principal) =>
        findOne(request, id, principal),
      ),
    },
    {
      action: 'create',
      method: 'POST',
      path: list,
      handler: guard.protect(`${type.uid}.create`, (request, _parameters, principal) =>
        write(201, request, principal, (answered) =>
          withDocumentData(request, type, (data) => documents.create(type, data, answered)),
        ),
      ),
    },
    {
      action: 'update',
      method: 'PUT',
      path: one,
      handler: guard.protect(`${type.uid}.update`, (request, [id], principal) =>
        write(200, request, principal, (answered) =>
          withDocumentData(request, type, (data) => documents.update(type, id, data, answered)),
        ),
      ),
    },
    {
      action: 'delete',
      method: 'DELETE',
      path: one,
      handler: guard.protect(`${type.uid}.delete`, async (request, [id], principal) => {
        const params = paramsOf(parseQueryString(request.query), principal.permissions, true)
        if (params.publicationState === 'draft') throw noDraftAlone()
        await documents.delete(type, id, writeOptions(params, principal, request))
        return { status: 204 }
      }),
    },
    ...(type.document?.versions === true ? versionActions : []).map((action) => ({
      action: 'update',
      method: 'POST' as const,
      path: `${one}/actions/${action === 'discardDraft' ? 'discard' : action}`,
      handler: guard.protect(`${type.uid}.${action}`, (request, [id], principal) =>
        write(200, request, principal, (answered) => act(action)(type, id, answered)),
      ),
    })),
  ]
  const served = single ? routes.filter(({ action }) => action !== 'findOne' && action !== 'create') : routes
  return served.filter((route) => type.rest.actions.has(route.action))
}

/** Strapi fails here with a 500; a document goes with its draft, or not at all. */
function noDraftAlone(): ApiError {
  return new ApiError(
    'ValidationError',
    'Cannot delete a draft document: leave status out to delete both versions',
  )
}

/** What the client asks for in the header `Strapi-Response-Format`. */
function shapeOf(request: HttpRequest): AnswerShape {
  return request.header('strapi-response-format') === 'v4' ? strapi5AsStrapi4 : strapi5Shape
}
