// A model -> JSON Schemas (2020-12, as in OpenAPI 3.1) of REST's request and response bodies.

import type {
  Attribute,
  AttributeHolder,
  Component,
  ContentType,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { Model } from '../model/model.ts'
import type { Schema } from '../plugins/openapi-operation.ts'
import { errorSchema, limits, orNull, paginationSchema, scalarSchema } from './common-schemas.ts'
import { typeNames } from './type-names.ts'

export interface ModelSchemas {
  /** The value of `components.schemas`. */
  readonly all: Readonly<Record<string, Schema>>
  /** The envelope of one entry, and of a list of them. */
  one(type: ContentType): Schema
  list(type: ContentType): Schema
  /** Without the envelope, as plugins return their own entries. */
  flat(type: ContentType): Schema
  input(type: ContentType): Schema
}

export function modelSchemas(model: Model): ModelSchemas {
  const names = typeNames(model)
  const nameOf = (holder: AttributeHolder): string => names.get(holder) ?? holder.uid
  const all: Record<string, Schema> = { Error: errorSchema, Pagination: paginationSchema }
  for (const type of model.contentTypes.values()) {
    const name = nameOf(type)
    all[`${name}Attributes`] = attributesSchema(type, nameOf)
    all[name] = entrySchema(type, name)
    all[`${name}Input`] = inputSchema(type, nameOf)
    all[`${name}Flat`] = flatSchema(type, name)
    all[`${name}Response`] = responseSchema(ref(name))
    all[`${name}ListResponse`] = listSchema(ref(name))
  }
  for (const component of model.components.values()) {
    const name = nameOf(component)
    const { properties } = attributesSchema(component, nameOf)
    all[name] = {
      type: 'object',
      title: component.displayName,
      required: ['id'],
      properties: { id: ID, ...(properties as object) },
    }
    all[`${name}Input`] = inputSchema(component, nameOf)
  }
  return {
    all,
    one: (type) => ref(`${nameOf(type)}Response`),
    list: (type) => ref(`${nameOf(type)}ListResponse`),
    flat: (type) => ref(`${nameOf(type)}Flat`),
    input: (type) => ref(`${nameOf(type)}Input`),
  }
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

const ID: Schema = { type: 'integer', minimum: 1 }

function systemAttributes(holder: AttributeHolder): readonly ScalarAttribute[] {
  return 'systemAttributes' in holder ? [...(holder as ContentType).systemAttributes.values()] : []
}

function attributesSchema(holder: AttributeHolder, nameOf: (of: AttributeHolder) => string): Schema {
  const shown = [...holder.attributes.values()].filter((attribute) => !attribute.private)
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...shown.map((attribute) => [
        attribute.name,
        { ...answered(attribute, nameOf), ...(attribute.readOnly && { readOnly: true }) },
      ]),
      ...systemAttributes(holder).map((attribute) => [attribute.name, orNull(scalarSchema(attribute))]),
    ]),
  }
}

function entrySchema(type: ContentType, name: string): Schema {
  return {
    type: 'object',
    title: type.displayName,
    ...(type.description !== undefined && { description: type.description }),
    required: ['id', 'attributes'],
    properties: { id: ID, attributes: ref(`${name}Attributes`), meta: { type: 'object' } },
  }
}

function flatSchema(type: ContentType, name: string): Schema {
  const id = { type: 'object', required: ['id'], properties: { id: ID } }
  return { title: type.displayName, allOf: [id, ref(`${name}Attributes`)] }
}

function responseSchema(entry: Schema): Schema {
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: { anyOf: [entry, { type: 'null' }] }, meta: { type: 'object' } },
  }
}

function listSchema(entry: Schema): Schema {
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: entry },
      meta: { type: 'object', properties: { pagination: ref('Pagination') } },
    },
  }
}

/** An attribute in responses. None is required: `fields` can leave out scalars; others appear only when populated. */
function answered(attribute: Attribute, nameOf: (of: AttributeHolder) => string): Schema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(scalarSchema(attribute))
    case 'relation': {
      if (attribute.target === undefined) {
        const flat = {
          type: 'object',
          required: ['__type', 'id'],
          properties: { __type: { type: 'string' }, id: ID },
        }
        return attribute.cardinality === 'many' ? { type: 'array', items: flat } : orNull(flat)
      }
      return related(ref(nameOf(attribute.target)), attribute.cardinality === 'many')
    }
    case 'media':
      return related(ref(nameOf(attribute.target)), attribute.multiple)
    case 'component': {
      const component = ref(nameOf(attribute.component))
      return attribute.repeatable ? { type: 'array', items: component } : orNull(component)
    }
    case 'dynamiczone':
      return {
        type: 'array',
        items: { oneOf: attribute.components.map((component) => zoned(component, nameOf(component))) },
      }
  }
}

function related(entry: Schema, many: boolean): Schema {
  const count = {
    type: 'object',
    required: ['attributes'],
    properties: { attributes: { type: 'object', required: ['count'] } },
  }
  const data = many
    ? { anyOf: [{ type: 'array', items: entry }, count, { type: 'null' }] }
    : { anyOf: [entry, { type: 'null' }] }
  return { type: 'object', required: ['data'], properties: { data } }
}

function zoned({ uid }: Component, name: string): Schema {
  const own = { type: 'object', required: ['__component'], properties: { __component: { const: uid } } }
  return { allOf: [own, ref(name)] }
}

/** The schema of an attribute that an update may not give. */
function once(schema: Schema): Schema {
  const { description } = schema
  const only = 'Can be set only when the entry is created.'
  return { ...schema, description: description === undefined ? only : `${description} ${only}` }
}

function inputSchema(holder: AttributeHolder, nameOf: (of: AttributeHolder) => string): Schema {
  const writable = [...holder.attributes.values()].filter((attribute) => attribute.writable)
  const type = 'publishedAt' in holder ? (holder as ContentType) : undefined
  const publishing =
    type?.publishedAt === undefined ? [] : [['publishedAt', orNull(scalarSchema(type.publishedAt))]]
  const locale = type?.locale === undefined ? [] : [['locale', scalarSchema(type.locale)]]
  const id = type === undefined ? [['id', ID]] : []
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...id,
      ...writable.map((attribute) => [
        attribute.name,
        attribute.writeOnce ? once(taken(attribute, nameOf)) : taken(attribute, nameOf),
      ]),
      ...publishing,
      ...locale,
    ]),
  }
}

function taken(attribute: Attribute, nameOf: (of: AttributeHolder) => string): Schema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull({ ...scalarSchema(attribute), ...limits(attribute) })
    case 'relation':
    case 'media':
      return { description: 'An id, a list of ids, or { set, connect, disconnect }.' }
    case 'component': {
      const component = ref(`${nameOf(attribute.component)}Input`)
      return orNull(attribute.repeatable ? { type: 'array', items: component } : component)
    }
    case 'dynamiczone': {
      const items = attribute.components.map((component) => zoned(component, `${nameOf(component)}Input`))
      return orNull({ type: 'array', items: { oneOf: items } })
    }
  }
}
