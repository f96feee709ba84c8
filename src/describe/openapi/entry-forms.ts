// The form of entries in responses and payloads: one record for each API version.

import type { ApiVersion } from '../../config/config.ts'
import type { ContentType, ScalarAttribute } from '../../model/attribute.ts'
import type { JsonSchema } from '../../plugins/openapi-operation.ts'

export const ID: JsonSchema = { type: 'integer', minimum: 1 }

export interface EntryForm {
  entry(type: ContentType, attributes: JsonSchema): JsonSchema
  /** An entry of a plugin, as its own routes return it; undefined: as any other entry. */
  readonly flat: ((type: ContentType, attributes: JsonSchema) => JsonSchema) | undefined
  related(entry: JsonSchema, many: boolean): JsonSchema
  /** System attributes that payloads may set. */
  given(type: ContentType): readonly ScalarAttribute[]
  readonly relationInput: JsonSchema
}

const entryForm4: EntryForm = {
  entry: (type, attributes) => ({
    type: 'object',
    title: type.displayName,
    ...describedBy(type),
    required: ['id', 'attributes'],
    properties: { id: ID, attributes, meta: { type: 'object' } },
  }),
  flat: (type, attributes) => flat(type, attributes, { id: ID }),
  related(entry, many) {
    const count = {
      type: 'object',
      required: ['attributes'],
      properties: { attributes: { type: 'object', required: ['count'] } },
    }
    const data = many
      ? { anyOf: [{ type: 'array', items: entry }, count, { type: 'null' }] }
      : { anyOf: [entry, { type: 'null' }] }
    return { type: 'object', required: ['data'], properties: { data } }
  },
  given: ({ publishedAt, locale }) => [publishedAt, locale].filter((one) => one !== undefined),
  relationInput: { description: 'An id, a list of ids, or { set, connect, disconnect, create }.' },
}

const entryForm5: EntryForm = {
  entry: (type, attributes) => ({
    ...flat(type, attributes, { id: ID, documentId: { type: 'string' } }),
    ...describedBy(type),
  }),
  flat: undefined,
  related(entry, many) {
    if (!many) return { anyOf: [entry, { type: 'null' }] }
    const count = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }
    return { anyOf: [{ type: 'array', items: entry }, count] }
  },
  given: () => [],
  relationInput: {
    description:
      'A documentId, a list of them, or { set, connect, disconnect, create }; of files and users the ids.',
  },
}

export const entryForms: Readonly<Record<ApiVersion, EntryForm>> = {
  'strapi-4': entryForm4,
  'strapi-5': entryForm5,
}

function flat(
  { displayName }: ContentType,
  attributes: JsonSchema,
  ids: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const own = { type: 'object', required: Object.keys(ids), properties: ids }
  return { title: displayName, allOf: [own, attributes] }
}

function describedBy({ description }: ContentType): JsonSchema {
  return description === undefined ? {} : { description }
}
