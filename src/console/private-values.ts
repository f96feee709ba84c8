// The private values of one entry, for a form that was asked to show them. Passwords stay hidden: nobody can use a hash.

import { ApiError } from '../errors/api-error.ts'
import type { Place } from './console-parts.ts'

export async function privateValues(
  { model, content }: Place,
  { type: uid, id }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const type = typeof uid === 'string' ? model.contentTypes.get(uid) : undefined
  if (type === undefined || typeof id !== 'number')
    throw new ApiError('ValidationError', 'type must be the uid of a content-type, and id a number')
  const names = [...type.attributes.values()].flatMap((attribute) =>
    attribute.private && attribute.kind === 'scalar' && attribute.type !== 'password' ? [attribute.name] : [],
  )
  if (names.length === 0) return {}
  const entry = await content.findOne(type, id, { publicationState: 'preview', locale: 'all' })
  if (entry === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return Object.fromEntries(names.map((name) => [name, entry[name]]))
}
