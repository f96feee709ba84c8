// Implements the REST API of Strapi 5: documents by `documentId`, with flat attributes.

import { jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { assertSeesDrafts, createNotFound } from '../operations/implementations.ts'
import type { Operation } from '../operations/operation.ts'
import type { Face } from '../operations/pipeline.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import { checkDocumentData, withDocumentData } from './documents/document-data.ts'
import { type DocumentQueryRules, parseDocumentParams, parsePage } from './documents/parse-document-params.ts'
import { getEncoder } from './entry-encoder.ts'
import { listReply, manyReply, summaryReply, versionHeader, wrapEntry } from './envelope.ts'
import { parseManyQuery, readManyPayload } from './many-payload.ts'
import { parseSummaryQuery } from './parse-aggregate.ts'
import { splitPagination } from './parse-pagination.ts'
import { type ParsedQuery, parseQueryString } from './query-string.ts'
import { type ResponseShape, strapi5AsStrapi4, strapi5Shape } from './response-shape.ts'
import type { RestOptions } from './rest-options.ts'

export function createStrapi5Face(
  options: RestOptions & Pick<DocumentQueryRules, 'isUid'>,
): Face<ParsedQuery> {
  return {
    limits: options,
    isCacheable: (request) => buildShape(request) === strapi5Shape,

    parseQuery({ effect, output }, text) {
      if (effect === 'summarize')
        return parseSummaryQuery({ output }, text, (value) => parsePage(value, options.defaultLimit))
      if (output === 'entries') return parseManyQuery(text)
      const query = parseQueryString(text)
      if (output !== 'list') return { query }
      return splitPagination(query, (value) => parsePage(value, options.defaultLimit))
    },

    toParams({ type, action, effect, output }, query, caller) {
      const isList = output === 'list' || effect === 'summarize'
      const params = parseDocumentParams(query, type, caller, options, !isList)
      assertSeesDrafts(type, params, caller)
      if (action === 'delete' && params.publicationState === 'draft') throw noDraftAlone()
      // One document cannot be read in all locales.
      return effect === 'read' && !isList && params.locale === 'all' ? { ...params, locale: '*' } : params
    },

    async withPayload({ type, takes, output }, request, _by, write) {
      if (output === 'entries')
        return write(await readManyPayload(request, { takes }, (data) => checkDocumentData(type, data)))
      return withDocumentData(request, type, (data) => write({ data }))
    },

    encodeSummary: summaryReply,

    encode(operation, output, request) {
      const shape = buildShape(request)
      if (output === undefined) return { status: 204 }
      if (operation.output === 'list') return listReply(output, shape)
      if (operation.output === 'entries') return manyReply(output, shape)
      return output instanceof Promise
        ? output.then((found) => encodeOne(operation, found, shape))
        : encodeOne(operation, output, shape)
    },
  }
}

function encodeOne({ action }: Operation, { plan, entries }: ReadResult, shape: ResponseShape): Reply {
  const [entry] = entries
  if (entry === undefined) throw createNotFound()
  return jsonReply(
    action === 'create' ? 201 : 200,
    wrapEntry(entry, getEncoder(plan, shape), shape),
    versionHeader(plan, entry),
  )
}

/** Strapi fails here with a 500; a document goes with its draft, or not at all. */
function noDraftAlone(): ApiError {
  return new ApiError(
    'ValidationError',
    'Cannot delete a draft document: leave status out to delete both versions',
  )
}

function buildShape(request: HttpRequest): ResponseShape {
  return request.header('strapi-response-format') === 'v4' ? strapi5AsStrapi4 : strapi5Shape
}
