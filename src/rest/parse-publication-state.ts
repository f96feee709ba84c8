// publicationState: exactly `live` or `preview`.

import { ApiError } from '../errors/api-error.ts'
import type { QueryValue } from './query-string.ts'

export function parsePublicationState(value: QueryValue): 'live' | 'preview' {
  if (value === 'live' || value === 'preview') return value
  throw new ApiError(
    'ValidationError',
    `Invalid publicationState. Expected one of 'preview','live' received: ${shown(value)}.`,
  )
}

function shown(value: QueryValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
