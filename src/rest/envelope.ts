// Builds answers in the envelope `{"data":…,"meta":{…}}`.

import { performance } from 'node:perf_hooks'
import type { Written } from '../content/content.ts'
import type { EntryRow, Found } from '../content/rows/entry.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { Page } from '../plan/read-plan.ts'
import { nextTurn } from '../util/next-turn.ts'
import { type AnswerShape, strapi4Shape } from './answer-shape.ts'
import type { EncodeEntry } from './entry-encoder.ts'
import { createEntryEncoder } from './entry-encoder.ts'

export function oneEnvelope(entry: EntryRow, encode: EncodeEntry, shape: AnswerShape = strapi4Shape): string {
  return shape.one(encode(entry))
}

type ListFound = Pick<Found, 'entries' | 'page' | 'total' | 'next'>

export function listEnvelope(
  found: ListFound,
  encode: EncodeEntry,
  shape: AnswerShape = strapi4Shape,
): string {
  let data = ''
  for (const entry of found.entries) data += data === '' ? encode(entry) : `,${encode(entry)}`
  return withPagination(found, data, shape)
}

/** Milliseconds of writing a list after which other requests get the event loop. */
const CHUNK_MS = 10

/** Embedded databases return small lists at once; a list that is awaited may be large, and is written in chunks. */
export function listReply(
  found: Found | Promise<Found>,
  encode: EncodeEntry,
  shape: AnswerShape = strapi4Shape,
): Reply | Promise<Reply> {
  if (!(found instanceof Promise)) return jsonReply(200, listEnvelope(found, encode, shape))
  return found.then(async (later) => jsonReply(200, await listInChunks(later, encode, shape)))
}

async function listInChunks(found: ListFound, encode: EncodeEntry, shape: AnswerShape): Promise<string> {
  const chunks: string[] = []
  let chunk = ''
  let until = performance.now() + CHUNK_MS
  for (const [index, entry] of found.entries.entries()) {
    chunk += index === 0 ? encode(entry) : `,${encode(entry)}`
    if (performance.now() < until) continue
    chunks.push(chunk)
    chunk = ''
    await nextTurn()
    until = performance.now() + CHUNK_MS
  }
  return withPagination(found, chunks.join('') + chunk, shape)
}

function withPagination(found: ListFound, data: string, shape: AnswerShape): string {
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
): Reply {
  return jsonReply(200, oneEnvelope(entry, encode))
}
