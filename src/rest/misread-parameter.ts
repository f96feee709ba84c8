// Suggests a parameter for an unknown one. Uses only the text of its name, so that suggestions do not reveal
// attributes.

import { didYouMean } from '../lib/did-you-mean.ts'
import { operators } from '../plan/operators.ts'

export const KNOWN_PARAMETERS = [
  'filters',
  'sort',
  'fields',
  'populate',
  'pagination',
  'publicationState',
  'locale',
  '_q',
  '_highlight',
] as const

/** Other APIs' names for these parameters, in lower case without `_`, `-` and `$`. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['page', 'pagination[page]'],
  ['pagesize', 'pagination[pageSize]'],
  ['perpage', 'pagination[pageSize]'],
  ['size', 'pagination[pageSize]'],
  ['limit', 'pagination[limit]'],
  ['take', 'pagination[limit]'],
  ['first', 'pagination[limit]'],
  ['top', 'pagination[limit]'],
  ['max', 'pagination[limit]'],
  ['start', 'pagination[start]'],
  ['offset', 'pagination[start]'],
  ['skip', 'pagination[start]'],
  ['after', 'pagination[after]'],
  ['cursor', 'pagination[after]'],
  ['count', 'pagination[withCount]'],
  ['withcount', 'pagination[withCount]'],
  ['include', 'populate'],
  ['includes', 'populate'],
  ['expand', 'populate'],
  ['embed', 'populate'],
  ['with', 'populate'],
  ['relations', 'populate'],
  ['join', 'populate'],
  ['order', 'sort'],
  ['orderby', 'sort'],
  ['ordering', 'sort'],
  ['sortby', 'sort'],
  ['select', 'fields'],
  ['only', 'fields'],
  ['columns', 'fields'],
  ['attributes', 'fields'],
  ['where', 'filters'],
  ['q', '_q'],
  ['query', '_q'],
  ['search', '_q'],
  ['highlight', '_highlight'],
  ['lang', 'locale'],
  ['language', 'locale'],
  ['drafts', 'publicationState=preview'],
  ['preview', 'publicationState=preview'],
])

/**
 * Returns `pagination[limit]` for `limit`, `filters[title]` for `title`, `filters[price][$gte]` for
 * `price_gte`.
 */
export function suggestParameter(key: string): string {
  const foreign = ELSEWHERE.get(key.toLowerCase().replaceAll(/[_$-]/g, ''))
  if (foreign !== undefined) return foreign
  const near = didYouMean(key, KNOWN_PARAMETERS)
  if (near !== undefined) return near
  const [, attribute = key, operator] = /^(\w+?)_{1,2}([a-z]+)$/i.exec(key) ?? []
  return operator !== undefined && operators.has(`$${operator}`)
    ? `filters[${attribute}][$${operator}]`
    : `filters[${key.slice(0, MAX_NAME_LENGTH)}]`
}

const MAX_NAME_LENGTH = 100
