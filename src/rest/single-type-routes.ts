// The three routes of a single type: find, update (which creates it the first time), delete.

import type { Guard } from '../auth/guard.ts'
import type { Permissions } from '../auth/principal.ts'
import type { Content, PreparedList } from '../content/content.ts'
import { createAnswerBudget } from '../content/rows/answer-budget.ts'
import { type EntryRow, idOf } from '../content/rows/entry.ts'
import { assertOneLocale, saveSingle } from '../content/save-single.ts'
import { jsonReply } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { createAnswerRead } from './answer-read.ts'
import { createEntryEncoder, type EncodeEntry } from './entry-encoder.ts'
import { listEnvelope, oneEnvelope, writtenReply } from './envelope.ts'
import { ownData } from './own-parts.ts'
import { withData } from './parse-data.ts'
import { parseParams } from './parse-params.ts'
import { notFound, type RestOptions, refuseHiddenDrafts } from './rest-options.ts'

/** Reads the entry as a list of one. */
const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const
/** For `locale=all`: reads the entries of all locales as a list. */
const EVERY = { ...FIRST, limit: -1 } as const

interface PlannedQuery {
  readonly prepared: PreparedList
  readonly encode: EncodeEntry
  readonly everyLocale: boolean
}

export function singleTypeRoutes(
  type: ContentType,
  content: Content,
  guard: Guard,
  options: RestOptions,
): readonly Route[] {
  const path = `${options.prefix}/${type.singularName}`

  const prepare = (params: Params, permissions: Permissions): PreparedList => {
    const pagination = type.localized && params.locale === 'all' ? EVERY : FIRST
    return content.prepareFind(type, { ...params, pagination }, permissions)
  }

  const understand = options.rememberQueries((query: string, permissions: Permissions): PlannedQuery => {
    const params = parseParams(query, options, { type, place: 'single' })
    refuseHiddenDrafts(type, params, permissions)
    const prepared = prepare(params, permissions)
    const everyLocale = type.localized && params.locale === 'all'
    return { prepared, encode: createEntryEncoder(prepared.plan), everyLocale }
  })

  const answerRead = createAnswerRead(type, options.keptAnswers)

  async function current(params: Params, permissions: Permissions): Promise<EntryRow | undefined> {
    const found = await prepare(params, permissions).read()
    return found.entries[0]
  }

  const routes: (Route & { readonly action: string })[] = [
    {
      action: 'find',
      method: 'GET',
      path,
      handler: guard.protect(`${type.uid}.find`, (request, _parameters, principal) => {
        const { permissions } = principal
        return answerRead(request, permissions, () => {
          const { prepared, encode, everyLocale } = understand(request.query, permissions)
          return {
            version: prepared.version,
            async read() {
              const { entries } = await prepared.read({ mayLag: true, budget: createAnswerBudget(request) })
              const [entry] = entries
              if (entry === undefined) throw notFound()
              if (everyLocale)
                return jsonReply(200, listEnvelope({ entries, page: undefined, total: undefined }, encode))
              return jsonReply(200, oneEnvelope(entry, encode))
            },
          }
        })
      }),
    },
    {
      action: 'update',
      method: 'PUT',
      path,
      handler: guard.protect(`${type.uid}.update`, async (request, _parameters, principal) => {
        const params = parseParams(request.query, options, { type, place: 'written single' })
        const access = principal.permissions
        return withData(request, type, { intake: options.files, by: principal }, async (data) => {
          const written = await saveSingle(
            content,
            type,
            params.locale,
            { update: data, create: data },
            { params, access, by: principal, own: ownData(request) },
          )
          return writtenReply(written)
        })
      }),
    },
    {
      action: 'delete',
      method: 'DELETE',
      path,
      handler: guard.protect(`${type.uid}.delete`, async (request, _parameters, principal) => {
        const params = parseParams(request.query, options, { type, place: 'single' })
        const access = principal.permissions
        assertOneLocale(type, params.locale)
        const entry = await current(params, access)
        if (entry === undefined) throw notFound()
        const written = await content.delete(type, idOf(entry), { params, access, by: principal })
        return writtenReply(written)
      }),
    },
  ]
  return routes.filter((route) => type.rest.actions.has(route.action))
}
