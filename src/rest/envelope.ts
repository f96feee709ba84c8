// Builds responses in the envelope `{"data":…,"meta":{…}}`.

import { performance } from 'node:perf_hooks'
import { jsonReply, type Reply } from '../http/reply.ts'
import { waitForTurn } from '../lib/next-turn.ts'
import { buildVersionTag } from '../lib/version-tag.ts'
import type { OperationShape } from '../model/actions.ts'
import type { WriteOutput } from '../operations/operation.ts'
import type { Page, ReadPlan } from '../plan/read-plan.ts'
import type { AggregateResult } from '../query/reads.ts'
import { type EntryRow, getVersion, type ReadResult } from '../query/rows/entry.ts'
import { type EncodeEntry, getEncoder } from './entry-encoder.ts'
import type { ResponseShape } from './response-shape.ts'

export function wrapEntry(entry: EntryRow, encode: EncodeEntry, shape: ResponseShape): string {
  return shape.one(encode(entry))
}

/** The `ETag` of an entry, which `If-Match` of its next write may name. */
export function versionHeader(plan: ReadPlan, entry: EntryRow): Readonly<Record<string, string>> | undefined {
  const version = getVersion(plan, entry)
  return version === undefined ? undefined : { etag: buildVersionTag(version) }
}

export function listEnvelope(found: ReadResult, shape: ResponseShape): string {
  return withPagination(found, encodeEntries(found, shape), shape)
}

function encodeEntries({ plan, entries }: ReadResult, shape: ResponseShape): string {
  const encode = getEncoder(plan, shape)
  let data = ''
  for (const entry of entries) data += data === '' ? encode(entry) : `,${encode(entry)}`
  return data
}

/** `{"data":[…],"meta":{"created":2}}`, for a dry run with `"plan":true`. */
export async function manyReply(
  output: WriteOutput | Promise<WriteOutput>,
  shape: ResponseShape,
): Promise<Reply> {
  const { changes, ...found } = await output
  const meta = { ...changes?.counts, ...(changes?.dryRun === true && { plan: true }) }
  return jsonReply(200, `{"data":[${encodeEntries(found, shape)}],"meta":${JSON.stringify(meta)}}`)
}

/** The groups with their numbers, or `{"data":{"count":2},"meta":{}}`. */
export function summaryReply({ output }: OperationShape, { rows, page, total }: AggregateResult): Reply {
  if (output === 'number') return jsonReply(200, JSON.stringify({ data: rows[0], meta: {} }))
  const pagination = paginationText(page, { total })
  return jsonReply(200, `{"data":${JSON.stringify(rows)},"meta":{"pagination":${pagination}}}`)
}

const CHUNK_MS = 10

/** Embedded databases return small lists at once; a list that is awaited may be large, and is written in chunks. */
export function listReply(
  found: ReadResult | Promise<ReadResult>,
  shape: ResponseShape,
): Reply | Promise<Reply> {
  if (!(found instanceof Promise)) return jsonReply(200, listEnvelope(found, shape))
  return found.then(async (later) => jsonReply(200, await listInChunks(later, shape)))
}

async function listInChunks(found: ReadResult, shape: ResponseShape): Promise<string> {
  const encode = getEncoder(found.plan, shape)
  const chunks: string[] = []
  let chunk = ''
  let until = performance.now() + CHUNK_MS
  for (const [index, entry] of found.entries.entries()) {
    chunk += index === 0 ? encode(entry) : `,${encode(entry)}`
    if (performance.now() < until) continue
    chunks.push(chunk)
    chunk = ''
    await waitForTurn()
    until = performance.now() + CHUNK_MS
  }
  return withPagination(found, chunks.join('') + chunk, shape)
}

function withPagination(found: ReadResult, data: string, shape: ResponseShape): string {
  return shape.list(data, found.page === undefined ? undefined : paginationText(found.page, found))
}

function paginationText(page: Page, { total, next }: Pick<ReadResult, 'total' | 'next'>): string {
  if (page.kind === 'after') return JSON.stringify({ pageSize: page.pageSize, next, total })
  if (page.kind === 'offset') {
    const { start, limit } = page
    return JSON.stringify(total === undefined ? { start, limit } : { start, limit, total })
  }
  const { page: number, pageSize } = page
  if (total === undefined) return JSON.stringify({ page: number, pageSize })
  return JSON.stringify({ page: number, pageSize, pageCount: Math.ceil(total / pageSize), total })
}
