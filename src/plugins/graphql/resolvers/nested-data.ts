// Turns `comments_create: [{…}]` of a GraphQL input into `comments: { create: [{…}] }`: a relation's own input takes ids only,
// as in Strapi.

import { isRecord } from '../../../lib/is-record.ts'
import type { RelationAttribute } from '../../../model/attribute.ts'
import type { Schema } from '../../../model/content-type.ts'

type Data = Readonly<Record<string, unknown>>

/** Undefined for relations of any type, and where an attribute has the name. */
export function getCreateName(schema: Schema, attribute: RelationAttribute): string | undefined {
  const name = `${attribute.name}_create`
  const isLocales = attribute.sameDocument !== undefined || attribute.name === 'localizations'
  return attribute.target === undefined || isLocales || schema.attributes.has(name) ? undefined : name
}

export function joinNested(schema: Schema, data: Data): Data {
  const joined: Record<string, unknown> = { ...data }
  for (const attribute of schema.attributes.values()) {
    const { name } = attribute
    if (attribute.kind === 'relation') {
      const key = getCreateName(schema, attribute)
      const given = key === undefined ? undefined : data[key]
      if (key === undefined || attribute.target === undefined || given === undefined) continue
      const { target } = attribute
      delete joined[key]
      const create = each(given, (element) => joinNested(target, element))
      joined[name] = data[name] === undefined ? { create } : { set: [data[name] ?? []].flat(), create }
    } else if (attribute.kind === 'component')
      joined[name] = each(data[name], (element) => joinNested(attribute.component, element))
    if (joined[name] === undefined) delete joined[name]
  }
  return joined
}

function each(value: unknown, join: (element: Data) => Data): unknown {
  if (Array.isArray(value)) return value.map((element) => each(element, join))
  return isRecord(value) ? join(value) : value
}
