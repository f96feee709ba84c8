// Reads the private values of one entry for a form. Passwords stay hidden, since a hash is useless to the
// form.

import { ApiError } from '../lib/errors/api-error.ts'
import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import type { PopulateOptions } from '../plan/params.ts'
import { everyEntry } from '../query/find-entries.ts'
import { decodeValue } from '../query/rows/to-object.ts'
import type { LiveApp } from './console-context.ts'

type Values = Readonly<Record<string, unknown>>

/** Components include everything but private scalars. */
export async function readPrivateValues(place: LiveApp, { type: uid, id }: Values): Promise<Values> {
  const type = typeof uid === 'string' ? place.model.contentTypes.get(uid) : undefined
  if (type === undefined || typeof id !== 'number' || !Number.isSafeInteger(id))
    throw new ApiError('ValidationError', 'type must be the uid of a content-type, and id a whole number')
  const hidden = [...type.attributes.values()].filter((attribute) => attribute.private)
  if (hidden.length === 0) return {}
  return {
    ...(await privateScalars(place, type, id, hidden)),
    ...(await readPrivatePopulated(place, type, id, hidden)),
  }
}

async function privateScalars(
  { content }: LiveApp,
  type: ContentType,
  id: number,
  hidden: readonly Attribute[],
): Promise<Values> {
  const scalars = hidden.filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' && attribute.type !== 'password' && attribute.computed === undefined,
  )
  const names = scalars.map(({ name }) => name)
  const found = await content.findSecrets(type, { name: 'id', value: id }, names)
  if (found === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return Object.fromEntries(
    scalars.map((attribute) => [attribute.name, decodeValue(attribute, found.values.get(attribute.name))]),
  )
}

async function readPrivatePopulated(
  { content }: LiveApp,
  type: ContentType,
  id: number,
  hidden: readonly Attribute[],
): Promise<Values> {
  const members = hidden.filter(({ kind }) => kind !== 'scalar')
  if (members.length === 0) return {}
  const populate = new Map(members.map((member) => [member.name, getEverything(member)]))
  const found = await content.findOne(type, id, { ...everyEntry, fields: ['id'], populate })
  if (found === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return Object.fromEntries(members.map(({ name }) => [name, found[name]]))
}

/** Components cannot contain themselves, so this ends. */
function getEverything(member: Attribute): PopulateOptions {
  if (member.kind === 'component') return { evenPrivate: true, ...populateAll(member.component) }
  if (member.kind !== 'dynamiczone') return { evenPrivate: true }
  const on = new Map(member.components.map((component) => [component.uid, populateAll(component)]))
  return { evenPrivate: true, on }
}

function populateAll(schema: Schema): PopulateOptions {
  const members = [...schema.attributes.values()].filter(({ kind }) => kind !== 'scalar')
  return { populate: new Map(members.map((member) => [member.name, getEverything(member)])) }
}
