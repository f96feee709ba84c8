// Finds the attributes that a payload names, and the permissions that allow them.

import { ApiError } from '../lib/errors/api-error.ts'
import type { WriteAction, WriteAlternative } from '../model/access.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import type { WriteOptions } from './content.ts'

/** Includes `publishedAt` if the client publishes or unpublishes. */
export function listNamedBy(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  action: WriteAction,
  options: Pick<WriteOptions, 'own' | 'finish'>,
): readonly string[] {
  const named = [...type.attributes.keys()].filter(
    (name) => data[name] !== undefined && options.own?.has(name) !== true,
  )
  const { publishedAt } = type
  if (publishedAt === undefined) return named
  const changesState =
    type.document === undefined
      ? givesState(action, data[publishedAt.name])
      : hasVersions(type) && (options.finish === 'publish' || options.finish === 'unpublish')
  return changesState ? [...named, publishedAt.name] : named
}

function givesState(action: WriteAction, publishedAt: unknown): boolean {
  return publishedAt !== undefined && (action === 'update' || publishedAt !== null)
}

/**
 * Throws ForbiddenError. A name whose value the server sets needs no permission, because the client's value
 * is not used.
 */
export function assertNamesAllowed(
  type: ContentType,
  alternatives: readonly WriteAlternative[],
  named: readonly string[],
): readonly WriteAlternative[] {
  const missing = ({ fields, set }: WriteAlternative): string | undefined =>
    fields === undefined ? undefined : named.find((name) => !fields.has(name) && !set.has(name))
  const fitting = alternatives.filter((one) => missing(one) === undefined)
  const [first] = alternatives
  if (fitting.length > 0 || first === undefined) return fitting
  const name = missing(first)
  // The server added this name.
  const publishes = type.document !== undefined && name === type.publishedAt?.name
  const way = publishes ? ', which publishing does: with status=draft you write the draft alone' : ''
  throw new ApiError('ForbiddenError', `Forbidden: you may not write "${name}"${way}`)
}
