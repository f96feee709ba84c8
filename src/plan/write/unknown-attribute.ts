// Handles payload names that are not attributes: names from responses are ignored, others are faults under
// `rest.strict`.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Access, WriteRule } from '../../model/access.ts'
import type { Schema } from '../../model/content-type.ts'
import { findAttribute, isContentType } from '../find-attribute.ts'
import { startPlanning } from '../planning.ts'

/** Names in responses of Strapi or GraphQL, which clients send back: they have no effect. */
const IN_ANSWERS = ['id', 'documentId', '__typename']
const IN_ANSWERS_OF_TYPES: ReadonlySet<string> = new Set([
  ...IN_ANSWERS,
  ...['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations', 'meta'],
])
const IN_ANSWERS_OF_COMPONENTS: ReadonlySet<string> = new Set([...IN_ANSWERS, '__component'])

export function isInResponses(schema: Schema, name: string): boolean {
  return (isContentType(schema) ? IN_ANSWERS_OF_TYPES : IN_ANSWERS_OF_COMPONENTS).has(name)
}

/** Suggests only attributes that the caller may write, never private ones. */
export function findNearestAttribute(
  access: Access,
  schema: Schema,
  name: string,
  mode: 'create' | 'update' = 'update',
): string | undefined {
  const planning = startPlanning(access)
  const fields = isContentType(schema) ? writableFields(access.writeRule(schema, mode)) : undefined
  const open = [...schema.attributes.values()].filter(
    (attribute) =>
      attribute.writable &&
      fields?.has(attribute.name) !== false &&
      findAttribute(planning, schema, attribute.name) !== undefined,
  )
  return didYouMean(
    name,
    open.map((attribute) => attribute.name),
  )
}

function writableFields(rule: WriteRule | undefined): ReadonlySet<string> | undefined {
  const lists = rule?.alternatives.map(({ fields }) => fields)
  if (lists === undefined || lists.includes(undefined)) return undefined
  return new Set(lists.flatMap((fields) => [...(fields ?? [])]))
}

const MAX_SHOWN_CHARACTERS = 100

export function shorten(name: string): string {
  return name.length <= MAX_SHOWN_CHARACTERS ? name : `${name.slice(0, MAX_SHOWN_CHARACTERS)}…`
}
