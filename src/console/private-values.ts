// The private values of one entry, for a form that was asked to show them. Passwords stay hidden: nobody can use a hash.

import { decodeValue } from '../content/rows/to-object.ts'
import { ApiError } from '../errors/api-error.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { Place } from './console-parts.ts'

export async function privateValues(
  { model, content }: Place,
  { type: uid, id }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const type = typeof uid === 'string' ? model.contentTypes.get(uid) : undefined
  if (type === undefined || typeof id !== 'number')
    throw new ApiError('ValidationError', 'type must be the uid of a content-type, and id a number')
  const hidden = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' &&
      attribute.private &&
      attribute.type !== 'password' &&
      attribute.computed === undefined,
  )
  if (hidden.length === 0) return {}
  const found = await content.findSecrets(
    type,
    { name: 'id', value: id },
    hidden.map(({ name }) => name),
  )
  if (found === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return Object.fromEntries(
    hidden.map((attribute) => [attribute.name, decodeValue(attribute, found.values.get(attribute.name))]),
  )
}
