// Implements the REST API of Strapi 4: numeric ids and nested `attributes`.

import { jsonReply, type Reply } from '../http/reply.ts'
import { createNotFound, FIRST } from '../operations/implementations.ts'
import type { Operation } from '../operations/operation.ts'
import type { Face } from '../operations/pipeline.ts'
import type { Params } from '../plan/params.ts'
import type { Page } from '../plan/read-plan.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import { toObject } from '../query/rows/to-object.ts'
import { getEncoder } from './entry-encoder.ts'
import { listEnvelope, listReply, manyReply, summaryReply, versionHeader, wrapEntry } from './envelope.ts'
import { parseManyQuery, readManyPayload } from './many-payload.ts'
import { parseSummaryQuery } from './parse-aggregate.ts'
import { checkData, withBareData, withData } from './parse-data.ts'
import { splitPagination } from './parse-pagination.ts'
import { toParams } from './parse-params.ts'
import { type ParsedQuery, parseQueryString } from './query-string.ts'
import { strapi4Shape } from './response-shape.ts'
import type { RestOptions } from './rest-options.ts'
import type { QueryPlace } from './unused-parameters.ts'

/** For `locale=all`, a single type is read as the list of its entries in all locales. */
const EVERY = { ...FIRST, limit: -1 } as const

/** A new localization ignores the query: its response is always the entry with its localizations, including drafts. */
const LOCALIZED: Params = { publicationState: 'preview', populate: new Map([['localizations', {}]]) }

export function createStrapi4Face(options: RestOptions): Face<ParsedQuery> {
  return {
    limits: options,
    isCacheable: () => true,

    parseQuery({ effect, output }, text) {
      if (effect === 'summarize') return parseSummaryQuery({ output }, text)
      if (output === 'entries') return parseManyQuery(text, false)
      const query = parseQueryString(text, false)
      return output === 'list' ? splitPagination(query) : { query }
    },

    toParams(operation, query) {
      const { type, action } = operation
      const params = toParams(query, options, { type, place: getPlace(operation) })
      if (action === 'createLocalization') return LOCALIZED
      if (action !== 'find' || type.kind === 'collectionType') return params
      return { ...params, pagination: type.localized && params.locale === 'all' ? EVERY : FIRST }
    },

    async withPayload({ type, action, takes, output }, request, by, write) {
      if (output === 'entries')
        return write(await readManyPayload(request, { takes }, (data) => checkData(type, data)))
      const parse = action === 'createLocalization' ? withBareData : withData
      return parse(request, type, { intake: options.files, by }, (data) => write({ data }))
    },

    encodeSummary: summaryReply,

    encode(operation, output) {
      if (output === undefined) throw createNotFound()
      if (operation.output === 'list') return listReply(output, strapi4Shape)
      if (operation.output === 'entries') return manyReply(output, strapi4Shape)
      // Embedded databases return at once, without a promise.
      return output instanceof Promise
        ? output.then((found) => encodeOne(operation, found))
        : encodeOne(operation, output)
    },
  }
}

function encodeOne({ action }: Operation, found: ReadResult): Reply {
  const { plan, entries, page } = found
  const [entry] = entries
  if (entry === undefined) throw createNotFound()
  if (action === 'createLocalization') return jsonReply(200, JSON.stringify(toObject(plan, entry)))
  if (isEvery(page)) return jsonReply(200, listEnvelope({ ...found, page: undefined }, strapi4Shape))
  return jsonReply(
    200,
    wrapEntry(entry, getEncoder(plan, strapi4Shape), strapi4Shape),
    versionHeader(plan, entry),
  )
}

function isEvery(page: Page | undefined): boolean {
  return page?.kind === 'offset' && page.limit === EVERY.limit
}

function getPlace({ type, action, effect, takes }: Operation): QueryPlace {
  const single = type.kind === 'singleType'
  if (effect === 'summarize') return 'list'
  if (action === 'find') return single ? 'single' : 'list'
  if (action === 'findOne') return 'entry'
  if (action === 'delete' && single) return 'single'
  return (action === 'update' && single) || takes.includes('filters') ? 'written in its locale' : 'written'
}
