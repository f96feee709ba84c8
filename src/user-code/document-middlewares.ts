// `strapi.documents.use(middleware)` of Strapi 5: code around each action on documents. Writes of every API and of code pass it,
// and so do reads of REST and of `strapi.documents(uid)`; reads of GraphQL do not.

import { ownCode } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { buildRecord, isRecord } from '../lib/is-record.ts'
import { SentValues } from '../lib/sent-values.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { getId } from '../query/rows/entry.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { RestContext, RestMiddleware } from '../rest/rest-context.ts'
import type { Content, DocumentOptions, Documents, WriteResult } from '../write/content.ts'

interface DocumentAction {
  readonly uid: string
  /** A method of `strapi.documents(uid)`. */
  readonly action: string
  readonly contentType: unknown
  params: Record<string, unknown>
}

export type DocumentMiddleware = (context: DocumentAction, next: () => Promise<unknown>) => unknown

export interface DocumentMiddlewares {
  use(middleware: DocumentMiddleware): void
  /** Around calls of code. */
  surroundCall<Query extends object, Result>(
    getUid: () => string,
    action: string,
    call: (query: Query) => Promise<Result>,
  ): (query?: Query) => Promise<Result>
  surroundWrites(documents: Documents): Documents
  /** Around the generated route of an action; undefined if it writes, or while there are no middlewares. */
  findAroundRead(uid: string, action: string): RestMiddleware | undefined
}

interface MiddlewaresOptions {
  readonly model: Model
  readonly hasGraphql: boolean
  /** Names it in the log if it is slow. */
  watch(middleware: DocumentMiddleware): DocumentMiddleware
  warn(message: string): void
  getContent(): Pick<Content, 'findAll'>
  describeType(uid: string): unknown
  /** As `sanitizeOutput` of controllers. */
  sanitizeOutput(uid: string, data: unknown, context: RestContext): Promise<unknown>
}

type Data = Readonly<Record<string, unknown>>

export function createDocumentMiddlewares(options: MiddlewaresOptions): DocumentMiddlewares {
  const middlewares: DocumentMiddleware[] = []

  async function run(context: DocumentAction, act: () => Promise<unknown>): Promise<unknown> {
    const dispatch = async (index: number): Promise<unknown> => {
      const middleware = middlewares[index]
      if (middleware === undefined) return act()
      let called = false
      return middleware(context, async () => {
        if (called) throw new Error('next() was called twice')
        called = true
        return dispatch(index + 1)
      })
    }
    return dispatch(0)
  }

  function describe(uid: string, action: string, params: Record<string, unknown>): DocumentAction {
    return { uid, action, contentType: options.describeType(uid), params }
  }

  async function surroundWrite<Result>(
    action: string,
    { type, documentId, data, given }: DocumentWrite,
    write: (documentId: string | undefined, data: Data, given: DocumentOptions) => Promise<Result>,
    show: (written: Result) => Promise<unknown>,
  ): Promise<Result> {
    if (middlewares.length === 0 || given.dryRun === true) return write(documentId, data ?? {}, given)
    const sent = new SentValues(data)
    const { status, locale } = given
    const context = describe(type.uid, action, {
      ...(documentId !== undefined && { documentId }),
      ...(data !== undefined && { data: { ...data } }),
      ...(status !== undefined && { status }),
      ...(locale !== undefined && { locale }),
    })
    let written: { readonly value: Result } | undefined
    await run(context, async () => {
      const { params } = context
      const changed = buildRecord(params['data'])
      // Code needs no rights of the caller for the attributes that it sets.
      const own = new Set([...(given.own ?? []), ...sent.ownNames(changed)])
      const value = await write(params['documentId'] as string | undefined, changed, {
        ...given,
        own,
        ...(params['status'] !== status && { status: params['status'] as DocumentOptions['status'] }),
        ...(params['locale'] !== locale && { locale: params['locale'] }),
      } as DocumentOptions)
      written = { value }
      return show(value)
    })
    if (written !== undefined) return written.value
    const message = `a middleware of strapi.documents.use did not call next() for ${action} of ${type.uid}`
    throw new ApiError('ForbiddenError', 'Forbidden').because({ message })
  }

  /** Single types are written without a documentId. */
  async function findDocumentId(type: ContentType, given: string | undefined): Promise<string | undefined> {
    if (given !== undefined || middlewares.length === 0) return given
    const [first] = await readVersions(type, {})
    return first?.['documentId'] as string | undefined
  }

  async function readVersions(type: ContentType, filters: Data, version: 'draft' | 'live' = 'draft') {
    const params = { filters, publicationState: version, locale: 'all' } as const
    return options.getContent().findAll(type, params, ownCode)
  }

  return {
    use(middleware) {
      if (!options.model.apiVersion.documents)
        throw new TypeError('strapi.documents.use is there with "dialect: strapi-5"')
      if (typeof middleware !== 'function') throw new TypeError('documents.use takes a function')
      if (options.hasGraphql && middlewares.length === 0)
        options.warn('strapi.documents.use: reads of GraphQL do not pass these middlewares')
      middlewares.push(options.watch(middleware))
    },

    surroundCall<Query extends object, Result>(
      getUid: () => string,
      action: string,
      call: (query: Query) => Promise<Result>,
    ) {
      return async (query?: Query) => {
        if (middlewares.length === 0) return call({ ...query } as Query)
        const context = describe(getUid(), action, { ...query })
        return (await run(context, () => call(context.params as Query))) as Result
      }
    },

    surroundWrites(documents) {
      /** The version that was written, with the attributes that the caller may not see. */
      async function showEntry(type: ContentType, { entry }: WriteResult): Promise<EntryObject | undefined> {
        const row = await documents.ofRow(type, getId(entry))
        const found =
          row && (await readVersions(type, { documentId: { $eq: row.documentId } }, getVersion(row)))
        return found?.find(({ locale }) => row?.locale === null || locale === row?.locale)
      }

      async function showVersions(type: ContentType, written: WriteResult): Promise<unknown> {
        const entry = await showEntry(type, written)
        return { documentId: entry?.['documentId'], entries: entry === undefined ? [] : [entry] }
      }

      const act =
        (action: 'publish' | 'unpublish' | 'discardDraft'): Documents['publish'] =>
        async (type, id, given) => {
          const documentId = await findDocumentId(type, id)
          return surroundWrite(
            action,
            { type, documentId, data: undefined, given },
            (named, _, changed) => documents[action](type, named, changed),
            (written) => showVersions(type, written),
          )
        }

      return {
        ...documents,
        create: (type, data, given) =>
          surroundWrite(
            'create',
            { type, documentId: undefined, data, given },
            (_, changed, options) => documents.create(type, changed, options),
            (written) => showEntry(type, written),
          ),
        async update(type, id, data, given) {
          const documentId = await findDocumentId(type, id)
          return surroundWrite(
            documentId === undefined ? 'create' : 'update',
            { type, documentId, data, given },
            (named, changed, options) => documents.update(type, named, changed, options),
            (written) => showEntry(type, written),
          )
        },
        async delete(type, id, given) {
          const documentId = await findDocumentId(type, id)
          const former =
            middlewares.length === 0 || documentId === undefined
              ? []
              : await readVersions(type, { documentId: { $eq: documentId } })
          return surroundWrite(
            'delete',
            { type, documentId, data: undefined, given },
            (named, _, options) => documents.delete(type, named, options),
            async () => ({ documentId, entries: former }),
          )
        },
        publish: act('publish'),
        unpublish: act('unpublish'),
        discardDraft: act('discardDraft'),
      }
    },

    findAroundRead(uid, action) {
      if (middlewares.length === 0) return undefined
      const type = options.model.contentTypes.get(uid as ContentType['uid'])
      const called = type?.document && getReadName(type, action)
      if (type === undefined || called === undefined) return undefined
      return async (context, next) => {
        const { id } = context.params
        const acted = describe(type.uid, called, { ...context.query, ...(id && { documentId: id }) })
        let found: unknown
        const result = await run(acted, async () => {
          const { documentId: _, ...query } = acted.params
          context.query = query
          await next()
          found = isRecord(context.body) ? context.body['data'] : undefined
          return found
        })
        if (called === 'count' || result === undefined || result === found) return
        if (result === null && called !== 'findMany') throw new ApiError('NotFoundError', 'Not Found')
        const meta = isRecord(context.body) ? context.body['meta'] : {}
        context.body = { data: await options.sanitizeOutput(type.uid, result, context), meta }
      }
    },
  }
}

interface DocumentWrite {
  readonly type: ContentType
  readonly documentId: string | undefined
  readonly data: Data | undefined
  readonly given: DocumentOptions
}

function getVersion({ version }: { readonly version: 'draft' | 'published' }): 'draft' | 'live' {
  return version === 'draft' ? 'draft' : 'live'
}

/** The method of `strapi.documents(uid)` that reads as the action does. */
function getReadName({ kind }: ContentType, action: string): string | undefined {
  switch (action) {
    case 'find':
      return kind === 'singleType' ? 'findFirst' : 'findMany'
    case 'findOne':
      return 'findOne'
    case 'count':
    case 'aggregate':
      return 'count'
    default:
      return undefined
  }
}
