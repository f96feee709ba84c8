// The route that creates an entry in another locale: `POST /api/articles/1/localizations`, for a single type
// `POST /api/homepage/localizations`. As recorded, its body has no `data` and its answer no envelope.

import type { Guard } from '../auth/guard.ts'
import type { Content } from '../content/content.ts'
import { toObject } from '../content/rows/to-object.ts'
import { ApiError } from '../errors/api-error.ts'
import { jsonReply } from '../http/reply.ts'
import type { Route } from '../http/route.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { NO_ENTRY, parseId } from '../plan/parse-id.ts'
import { withBareData } from './parse-data.ts'
import { parseParams } from './parse-params.ts'
import type { RestOptions } from './rest-options.ts'

/** The answer ignores the query: it is always the entry with its localizations, including drafts. */
const ANSWERED: Params = { publicationState: 'preview', populate: new Map([['localizations', {}]]) }

/** Of documents: a client of Strapi 4 is told that the address takes no request, and what takes its place. */
export function formerLocalizationRoutes(type: ContentType, { prefix }: RestOptions): readonly Route[] {
  if (!type.localized) return []
  const path = type.kind === 'singleType' ? type.singularName : `${type.pluralName}/:id`
  return [
    {
      method: 'POST',
      path: `${prefix}/${path}/localizations`,
      handler: () => {
        const message = 'Method Not Allowed: a locale is added with PUT and ?locale='
        throw new ApiError('MethodNotAllowedError', message, {}, { allow: '' })
      },
    },
  ]
}

/** Empty when the type is not localized, or when its router has no action that creates entries. */
export function localizationRoutes(
  type: ContentType,
  content: Content,
  guard: Guard,
  options: RestOptions,
): readonly Route[] {
  const single = type.kind === 'singleType'
  if (!type.localized || !type.rest.actions.has(single ? 'update' : 'create')) return []
  const path = single ? type.singularName : `${type.pluralName}/:id`
  return [
    {
      method: 'POST',
      path: `${options.prefix}/${path}/localizations`,
      handler: guard.protect(`${type.uid}.createLocalization`, async (request, [id], principal) => {
        parseParams(request.query, options, { type, place: 'written' })
        const source = single ? undefined : (parseId(id) ?? NO_ENTRY)
        return withBareData(request, type, { intake: options.files, by: principal }, async (data) => {
          const { plan, entry } = await content.localize(type, source, data, {
            params: ANSWERED,
            access: principal.permissions,
            by: principal,
          })
          return jsonReply(200, JSON.stringify(toObject(plan, entry)))
        })
      }),
    },
  ]
}
