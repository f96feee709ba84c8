// Refuses a name in a document request, as Strapi 5 words it.

import { ApiError } from './api-error.ts'

export type Path = readonly string[]

/** Without `param`, the name is in the body. */
export function createInvalidKey(key: string, path: Path, param?: string): ApiError {
  const at = path.length === 0 ? null : path.join('.')
  const where = at === null || at === key ? '' : ` at ${at}`
  const source = param === undefined ? { source: 'body' } : { source: 'query', param }
  return new ApiError('ValidationError', `Invalid key ${shortened(key)}${shortened(where)}`, {
    key: shortened(key),
    path: at === null ? null : shortened(at),
    ...source,
  })
}

const MAX_NAME_LENGTH = 200

function shortened(text: string): string {
  return text.length <= MAX_NAME_LENGTH ? text : `${text.slice(0, MAX_NAME_LENGTH)}…`
}
