// Builds answers in the envelope `{"data":…,"meta":{…}}`.

import type { Written } from '../content/content.ts'
import { encodeInSlices } from '../content/rows/encode-once.ts'
import type { EntryRow, Found } from '../content/rows/entry.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { Page } from '../plan/read-plan.ts'
import { type AnswerShape, strapi4Shape } from './answer-shape.ts'
import type { EncodeEntry } from './entry-encoder.ts'
import { createEntryEncoder } from './entry-encoder.ts'

export function oneEnvelope(entry: EntryRow, encode: EncodeEntry, shape: AnswerShape = strapi4Shape): string {
  return shape.one(encode(entry))
}

export function listEnvelope(
  found: Pick<Found, 'entries' | 'page' | 'total' | 'next'>,
  encode: EncodeEntry,
  shape: AnswerShape = strapi4Shape,
): string {
  let data = ''
  for (const entry of found.entries) data += data === '' ? encode(entry) : `,${encode(entry)}`
  return shape.list(data, found.page === undefined ? undefined : paginationText(found.page, found))
}

function paginationText(page: Page, { total, next }: Pick<Found, 'total' | 'next'>): string {
  if (page.kind === 'after') return JSON.stringify({ pageSize: page.pageSize, next, total })
  if (page.kind === 'offset') {
    const { start, limit } = page
    return JSON.stringify(total === undefined ? { start, limit } : { start, limit, total })
  }
  const { page: number, pageSize } = page
  if (total === undefined) return JSON.stringify({ page: number, pageSize })
  return JSON.stringify({ page: number, pageSize, pageCount: Math.ceil(total / pageSize), total })
}

/** The answer to a write: the entry as it is now, populated as the request asks. */
export function writtenReply(
  { plan, entry }: Written,
  encode: EncodeEntry = createEntryEncoder(plan),
): Promise<Reply> {
  return encodeInSlices(() => jsonReply(200, oneEnvelope(entry, encode)))
}
