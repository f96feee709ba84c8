// The entries of a content-type as they are before the first recorded request to it, in which more is populated than the
// requests ask for: relations, and what is in components.

import type { Source } from '../http/source.ts'
import type { Json } from '../strapi-import/strapi-source.ts'
import { isRecord, recordOf } from '../util/is-record.ts'
import { entryOf, type Snapshot } from './exchange.ts'

/** Entries of one content-type. */
const MOST = 2000
const PAGE = 100

/** `schema`: what the content-type-builder says of it, if anything. Undefined where the entries may not be read. */
export async function takeSnapshot(
  source: Source,
  segment: string,
  { schema, token }: { readonly schema: Json | undefined; readonly token: string | undefined },
): Promise<Snapshot | undefined> {
  const entries: Json[] = []
  // Strapi 5 refuses it, or does not read it.
  let drafts = '&publicationState=preview'
  let everywhere =
    recordOf(recordOf(schema?.['pluginOptions'])['i18n'])['localized'] === true ? '&locale=all' : ''
  for (let page = 1; ; page++) {
    const where = `pagination[page]=${page}&pagination[pageSize]=${PAGE}&sort=id`
    const asked = (): Promise<unknown> =>
      source.get(`/api/${segment}?${populated(schema)}${drafts}${everywhere}&${where}`, token)
    let answer = await asked()
    if (answer === undefined && page === 1) {
      drafts = ''
      answer = await asked()
    }
    if (schema === undefined && page === 1 && hasLocales(answer)) {
      everywhere = '&locale=all'
      answer = (await asked()) ?? answer
    }
    if (!isRecord(answer)) return undefined
    const { data, meta } = answer
    if (!Array.isArray(data)) {
      const entry = entryOf(data)
      return { kind: 'singleType', entries: entry === undefined ? [] : [data as Json], more: false }
    }
    entries.push(...data.filter((one) => entryOf(one) !== undefined))
    const { pageCount } = recordOf(recordOf(meta)['pagination'])
    if (data.length === 0 || typeof pageCount !== 'number' || page >= pageCount)
      return { kind: 'collectionType', entries, more: false }
    if (entries.length >= MOST) return { kind: 'collectionType', entries, more: true }
  }
}

/** Without a schema, an answer tells that its entries are localized. */
function hasLocales(answer: unknown): boolean {
  const { data } = recordOf(answer)
  return Array.isArray(data) && data.some((one) => typeof entryOf(one)?.attributes['locale'] === 'string')
}

/** `populate=*` goes one step; what is in components needs another. */
function populated(schema: Json | undefined): string {
  if (schema === undefined) return 'populate=*'
  const parts = Object.entries(recordOf(schema['attributes'])).flatMap(([name, value]) => {
    const { type } = recordOf(value)
    const key = `populate[${encodeURIComponent(name)}]`
    if (type === 'component' || type === 'dynamiczone') return [`${key}[populate]=*`]
    return type === 'relation' || type === 'media' ? [`${key}=true`] : []
  })
  const localized = recordOf(recordOf(schema['pluginOptions'])['i18n'])['localized'] === true
  if (localized) parts.push('populate[localizations]=true')
  return parts.length === 0 ? 'populate=*' : parts.join('&')
}
