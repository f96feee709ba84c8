// Which attributes a payload names, and which of the caller's permissions allow all of them.

import { ApiError } from '../errors/api-error.ts'
import type { WriteAction, WriteAlternative } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'

/** The attributes that the client itself wants to write; `publishedAt` is one of them where it publishes or unpublishes. */
export function namedBy(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  action: WriteAction,
  own: ReadonlySet<string> | undefined,
): readonly string[] {
  const named = [...type.attributes.keys()].filter(
    (name) => data[name] !== undefined && own?.has(name) !== true,
  )
  const { publishedAt } = type
  const state = publishedAt === undefined ? undefined : data[publishedAt.name]
  // A new entry is a draft unless it says otherwise.
  const publishes = action === 'update' ? state !== undefined : state !== undefined && state !== null
  return publishedAt !== undefined && publishes ? [...named, publishedAt.name] : named
}

/**
 * The permissions that allow every name; a name whose value the server sets needs no right, because what the client
 * says of it is not used. Throws ForbiddenError if there are none.
 */
export function assertNamesAllowed(
  alternatives: readonly WriteAlternative[],
  named: readonly string[],
): readonly WriteAlternative[] {
  const missing = ({ fields, set }: WriteAlternative): string | undefined =>
    fields === undefined ? undefined : named.find((name) => !fields.has(name) && !set.has(name))
  const fitting = alternatives.filter((one) => missing(one) === undefined)
  const [first] = alternatives
  if (fitting.length > 0 || first === undefined) return fitting
  throw new ApiError('ForbiddenError', `Forbidden: you may not write "${missing(first)}"`)
}
