// Parses a body by its content-type; unknown bodies are refused or count as absent, without guessing.

import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../lib/errors/api-error.ts'
import { parseBrackets } from '../../lib/parse-brackets.ts'
import type { HttpRequest } from '../request.ts'
import { getBoundary, parseContentType } from './content-type.ts'
import { parseJson } from './parse-json.ts'

export type ParsedBody =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Not read yet: the code that stores files reads it. */
  | { readonly kind: 'multipart'; readonly boundary: string }
  /** No body, or one of a type that this API does not read: `unread`, empty when the request names no type. */
  | { readonly kind: 'none'; readonly unread?: string }

const NONE: ParsedBody = { kind: 'none' }

/**
 * Synchronous if the body has arrived. Throws ApiError: 400 malformed, 413 too large, 415 unknown charset or
 * encoding.
 */
export function parseBody(request: HttpRequest, read?: Uint8Array): ParsedBody | Promise<ParsedBody> {
  if (!request.body.present) return NONE
  const contentType = parseContentType(request.header('content-type'))
  const { type, parameters } = contentType
  if (type === 'multipart/form-data') return { kind: 'multipart', boundary: getBoundary(contentType) }
  const parse = buildParser(type)
  if (!parse) return { kind: 'none', unread: type }
  checkEncodings(parameters, request.header('content-encoding'))
  const parsed = (bytes: Uint8Array): ParsedBody =>
    bytes.length === 0 ? NONE : { kind: 'value', value: parse(formatText(bytes)) }
  const whole = read ?? request.body.arrived()
  return whole === undefined ? request.body.bytes().then(parsed) : parsed(whole)
}

const FORM = 'application/x-www-form-urlencoded'

/** JSON in a form that no encoder of forms writes: `{"` would be `%7B%22`. curl sends its `-d` like this. */
const JSON_IN_FORM = /^\s*\{\s*["}]/

function parseSentForm(text: string): unknown {
  if (!JSON_IN_FORM.test(text)) return parseForm(text)
  const help = 'send the header "content-type: application/json" (curl: -H "content-type: application/json")'
  throw new ApiError('BadRequestError', `the body is JSON, but was sent as a form (${FORM}): ${help}`)
}

function buildParser(type: string): ((text: string) => unknown) | undefined {
  if (type === 'application/json' || /^application\/[a-z0-9!#$&^_.-]+\+json$/.test(type)) return parseJson
  return type === FORM ? parseSentForm : undefined
}

function checkEncodings(parameters: ReadonlyMap<string, string>, coding: string | undefined): void {
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw new ApiError('UnsupportedMediaTypeError', 'the charset of the body must be utf-8')
  }
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ApiError('UnsupportedMediaTypeError', 'compressed bodies are not accepted')
  }
}

/** Keeps a byte order mark, so that the parser refuses it: JSON does not allow one. */
function formatText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ApiError('BadRequestError', 'the body is not valid UTF-8')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
}

/** Throws BadRequestError beyond the limits, where qs would drop parameters. */
function parseForm(text: string): unknown {
  try {
    return parseBrackets(text, { arrayLimit: 100, duplicates: 'combine' })
  } catch (error) {
    if (error instanceof RangeError)
      throw new ApiError('BadRequestError', 'the form has too many or too deep fields')
    throw error
  }
}
