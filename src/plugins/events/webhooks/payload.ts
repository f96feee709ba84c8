// The message of a webhook: Strapi's payload, so that existing receivers work, in the envelope of Standard
// Webhooks.

import { hasVersions } from '../../../model/content-rules.ts'
import type { EntryObject } from '../../../query/rows/to-object.ts'
import type { Content } from '../../../write/content.ts'
import type { FeedEvent } from '../../feed.ts'
import { getSubject } from './webhook.ts'
import { pickPublic, populateWhole } from './whole-document.ts'

export function getEventName({ type, action }: Pick<FeedEvent, 'type' | 'action'>): string {
  return `${getSubject(type) === 'media' ? 'media' : 'entry'}.${action}`
}

/** `{ event, createdAt, model, uid, entry }`, or `{ event, createdAt, media }`, without private values. */
export async function readPayload(content: Content, event: FeedEvent): Promise<string> {
  const { type, entry: id, document, locale, at, before } = event
  const stored = await storedEntry(content, event)
  const named =
    document === undefined ? {} : { documentId: document.id, ...(locale !== undefined && { locale }) }
  const entry = pickPublic(type, stored ?? { ...before, ...named, id })
  const name = getEventName(event)
  const createdAt = new Date(at).toISOString()
  if (name.startsWith('media.')) return JSON.stringify({ event: name, createdAt, media: entry }, plain)
  return JSON.stringify({ event: name, createdAt, model: type.singularName, uid: type.uid, entry }, plain)
}

/** For a document, the changed version, which may have another row by now. */
async function storedEntry(content: Content, event: FeedEvent): Promise<EntryObject | undefined> {
  const { type, entry, document, locale = 'all', action } = event
  if (entry === undefined) return undefined
  const populate =
    getSubject(type) !== 'media' && document !== undefined ? { populate: populateWhole(type) } : {}
  if (!hasVersions(type) || document === undefined)
    return content.findOne(type, entry, {
      ...populate,
      locale: 'all',
      ...(document !== undefined && { publicationState: 'live' }),
    })
  if (action === 'delete' || action === 'unpublish') return undefined
  const publicationState = document.status === 'published' ? 'live' : 'draft'
  return content.findFirst(type, {
    ...populate,
    filters: { documentId: document.id },
    locale,
    publicationState,
  })
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
