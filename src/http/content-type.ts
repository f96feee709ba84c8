// The `content-type` of a request -> its type and parameters (RFC 9110 8.3), and the boundary of a multipart body.

import { ApiError } from '../errors/api-error.ts'

export interface ContentType {
  /** In lower case; empty where there is none. */
  readonly type: string
  /** By names in lower case. What is not a parameter is passed over. */
  readonly parameters: ReadonlyMap<string, string>
}

/** What nearly every request says. */
const PLAIN_JSON: ContentType = { type: 'application/json', parameters: new Map() }

/** From a semicolon on: a name, and a value that may be quoted. */
const PARAMETER = /;[ \t]*([^\s;=",]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*(?=;|$)/y

/** Throws BadRequestError on a parameter that is there twice: two readers could take it differently. */
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

/** RFC 2046 allows fewer characters; some clients use others. A quote or a backslash would have to be escaped. */
const BOUNDARY = /^(?=.{1,70}$)[ !#-[\]-~]*[!#-[\]-~]$/

/** Throws BadRequestError. */
export function boundaryOf({ parameters }: ContentType): string {
  const boundary = parameters.get('boundary') ?? ''
  if (BOUNDARY.test(boundary)) return boundary
  throw new ApiError(
    'BadRequestError',
    'multipart/form-data needs a boundary of 1 to 70 ASCII characters, without quotes and backslashes',
  )
}

/** Whether a body of this content-type may be as long as an upload. */
export function isUpload(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)
}
