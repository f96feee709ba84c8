// Parses the `content-type` of a request (RFC 9110 8.3), and the boundary of a multipart body.

import { ApiError } from '../../lib/errors/api-error.ts'

export interface ContentType {
  /** In lower case; empty when the request has no `content-type`. */
  readonly type: string
  /** By name in lower case. Text that is not a parameter is ignored. */
  readonly parameters: ReadonlyMap<string, string>
}

const PLAIN_JSON: ContentType = { type: 'application/json', parameters: new Map() }

const PARAMETER = /;[ \t]*([^\s;=",]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*(?=;|$)/y

/** Throws BadRequestError on a repeated parameter: two parsers could read it differently. */
export function parseContentType(header = ''): ContentType {
  if (header === PLAIN_JSON.type) return PLAIN_JSON
  const semicolon = header.indexOf(';')
  const type = semicolon === -1 ? header : header.slice(0, semicolon)
  const parameters = new Map<string, string>()
  for (let at = semicolon; at !== -1; ) {
    PARAMETER.lastIndex = at
    const match = PARAMETER.exec(header)
    if (match === null) {
      at = header.indexOf(';', at + 1)
      continue
    }
    const [whole, name = '', quoted, plain = ''] = match
    const key = name.toLowerCase()
    if (parameters.has(key)) {
      throw new ApiError('BadRequestError', `the content-type has two "${key.slice(0, 50)}"`)
    }
    parameters.set(key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'))
    at = header.indexOf(';', at + whole.length)
  }
  return { type: type.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase(), parameters }
}

/** Allows more characters than RFC 2046, since some clients use them; not `"` and `\`, which would need escapes. */
const BOUNDARY = /^(?=.{1,70}$)[ !#-[\]-~]*[!#-[\]-~]$/

/** Throws BadRequestError when the boundary is missing or malformed. */
export function getBoundary({ parameters }: ContentType): string {
  const boundary = parameters.get('boundary') ?? ''
  if (BOUNDARY.test(boundary)) return boundary
  throw new ApiError(
    'BadRequestError',
    'multipart/form-data needs a boundary of 1 to 70 ASCII characters, without quotes and backslashes',
  )
}

export function isUpload(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)
}
