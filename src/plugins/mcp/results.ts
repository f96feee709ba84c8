// Writes responses as results of tools: bounded, with the next page named, and refusals as sentences.

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Principal } from '../../access/principal.ts'
import { isRecord } from '../../lib/is-record.ts'
import type {
  CallableOperation,
  OperationInput,
  OperationResponse,
} from '../../operations/operation-calls.ts'

/** Characters of a result. */
const MAX_LENGTH = 40_000
/** Characters of a text that stays whole in a result that is too long. */
const MIN_TEXT_LENGTH = 100

interface Use {
  readonly operation: CallableOperation
  readonly input: OperationInput
}

export function writeResult({ text }: OperationResponse, { input }: Use): CallToolResult {
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const value: unknown = JSON.parse(text)
  const bounded = text.length <= MAX_LENGTH ? { text, note: undefined } : bound(value, input)
  const notes = [bounded.note, bounded.note === undefined ? namePage(value) : undefined]
  return {
    content: [bounded.text, ...notes.filter((note) => note !== undefined)].map((one) => ({
      type: 'text',
      text: one,
    })),
  }
}

interface BoundedText {
  readonly text: string
  readonly note: string
}

function bound(value: unknown, { query }: OperationInput): BoundedText {
  if (isRecord(value) && Array.isArray(value['data'])) {
    const kept: unknown[] = []
    let length = JSON.stringify({ ...value, data: [] }).length
    for (const entry of value['data'] as readonly unknown[]) {
      length += JSON.stringify(entry).length + 1
      if (length > MAX_LENGTH) break
      kept.push(entry)
    }
    if (kept.length > 0) {
      const start = getStart(value) + kept.length
      const given = isRecord(query['pagination']) ? 'with the same arguments and ' : 'with '
      return {
        text: JSON.stringify({ ...value, data: kept }),
        note: `Only ${kept.length} of ${value['data'].length} entries fit. Go on ${given}pagination {"start":${start},"limit":${kept.length}}, or ask for fewer "fields".`,
      }
    }
  }
  let limit = MAX_LENGTH
  let text: string
  do {
    limit = Math.floor(limit / 2)
    text = JSON.stringify(shorten(value, limit))
  } while (text.length > MAX_LENGTH && limit > MIN_TEXT_LENGTH)
  if (text.length > MAX_LENGTH)
    return { text: '{}', note: 'The result is too long: ask for fewer "fields" and less "populate".' }
  return { text, note: `Texts are cut after ${limit} characters: ask for fewer "fields" to read one whole.` }
}

function shorten(value: unknown, limit: number): unknown {
  if (typeof value === 'string')
    return value.length > limit ? `${value.slice(0, limit)} … (${value.length - limit} more)` : value
  if (Array.isArray(value)) return value.map((inner) => shorten(inner, limit))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, limit)]))
}

function getPagination(value: unknown): Readonly<Record<string, unknown>> {
  const meta = isRecord(value) ? value['meta'] : undefined
  const pagination = isRecord(meta) ? meta['pagination'] : undefined
  return isRecord(pagination) ? pagination : {}
}

function getStart(value: unknown): number {
  const { page, pageSize, start } = getPagination(value)
  return typeof start === 'number' ? start : (Number(page ?? 1) - 1) * Number(pageSize ?? 0)
}

function namePage(value: unknown): string | undefined {
  const { page, pageSize, pageCount, total, start, limit } = getPagination(value)
  if (typeof page === 'number' && typeof pageCount === 'number' && page < pageCount)
    return `Page ${page} of ${pageCount}. Next: pagination {"page":${page + 1},"pageSize":${Number(pageSize)}}.`
  if (typeof start === 'number' && typeof total === 'number' && start + Number(limit) < total)
    return `Entries ${start + 1} to ${start + Number(limit)} of ${total}. Next: pagination {"start":${start + Number(limit)},"limit":${Number(limit)}}.`
  return undefined
}

export function writeFault(
  { status, text: json }: OperationResponse,
  operation: CallableOperation,
  by: Principal,
): CallToolResult {
  const value: unknown = json === '' ? undefined : JSON.parse(json)
  const error = isRecord(value) && isRecord(value['error']) ? value['error'] : {}
  const details = isRecord(error['details']) ? error['details'] : {}
  const items = Array.isArray(details['errors']) ? (details['errors'] as readonly unknown[]) : []
  const lines = items
    .filter(isRecord)
    .map(({ path, message }) => `- ${Array.isArray(path) ? path.join('.') : ''}: ${String(message)}`)
  const text = [
    `${operation.name} was refused (${status}): ${String(error['message'] ?? 'without a reason')}`,
    ...lines,
    suggestRemedy(status, operation, by),
  ]
  return { content: [{ type: 'text', text: text.filter((line) => line !== '').join('\n') }], isError: true }
}

function suggestRemedy(
  status: number,
  { permission, type }: CallableOperation,
  { source }: Principal,
): string {
  switch (status) {
    case 400:
      return 'Correct the arguments, and call the tool again.'
    case 403:
      return `A rule of "${permission}" (${source} in the file) does not allow it for this caller.`
    case 404:
      return type.kind === 'singleType'
        ? 'It has no entry yet.'
        : 'No entry with this id is there for the caller: look for it with the list.'
    case 409:
    case 412:
      return 'Read the entry again, and repeat the call with what it has now.'
    case 429:
      return 'Wait a minute, and call the tool again.'
    default:
      return ''
  }
}
