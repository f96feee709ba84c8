// Refuses, with `rest.strict`, valid parameters that have no effect on the request, such as filters on one
// entry by its id.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { QueryValue } from './query-string.ts'

export type QueryPlace = 'list' | 'entry' | 'single' | 'written' | 'written in its locale'

type Query = { readonly [key: string]: QueryValue }

const OF_LISTS = ['filters', 'sort', 'pagination', '_q', '_highlight']
const CHOOSES_NONE: Readonly<Record<QueryPlace, readonly string[]>> = {
  list: [],
  entry: OF_LISTS,
  single: [],
  written: OF_LISTS,
  'written in its locale': OF_LISTS,
}

export function refuseUnused(
  query: Query,
  { type, place }: { readonly type: ContentType; readonly place: QueryPlace },
): void {
  for (const name of Object.keys(query)) {
    const reason = reasonAgainst(name, query, type, place)
    if (reason !== undefined) throw createWithoutEffect(name, reason)
  }
}

export function createWithoutEffect(name: string, reason: string): ApiError {
  return new ApiError('ValidationError', `Query parameter ${name} has no effect here: ${reason}`)
}

function reasonAgainst(name: string, query: Query, type: ContentType, place: QueryPlace): string | undefined {
  if (CHOOSES_NONE[place].includes(name)) return elsewhere(type, place)
  if (name === 'locale') return reasonAgainstLocale(type, place)
  if (name === 'publicationState') return reasonAgainstState(query, type, place)
  return undefined
}

function elsewhere({ kind }: ContentType, place: QueryPlace): string {
  if (kind === 'singleType') return 'there is one entry; remove it'
  return place === 'entry'
    ? 'the id names the entry; ask the list, or remove it'
    : 'a write changes the entry that its path and its data name; remove it'
}

function reasonAgainstLocale({ uid, localized }: ContentType, place: QueryPlace): string | undefined {
  if (!localized) return `${uid} is not localized; remove it`
  if (place === 'entry')
    return 'the id names the entry in its locale; populate=localizations shows the others'
  if (place === 'written')
    return 'a new entry names its locale in the data, {"data":{"locale":…}}; others have theirs'
  return undefined
}

/** The publication status also applies to populated entries. */
function reasonAgainstState(query: Query, type: ContentType, place: QueryPlace): string | undefined {
  if (query['populate'] !== undefined) return undefined
  if (type.publishedAt === undefined) return `${type.uid} has no drafts; remove it`
  const isChosen = place === 'list' || place === 'single' || type.localized
  return isChosen ? undefined : 'an entry is named by its id, published or not; remove it'
}
