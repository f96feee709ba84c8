// JSON Schemas (2020-12, as in OpenAPI 3.1) of REST's request and response bodies.

import type { Attribute, Component, ContentType, ScalarAttribute, Schema } from '../../model/attribute.ts'
import type { Model } from '../../model/model.ts'
import type { JsonSchema } from '../../plugins/openapi-operation.ts'
import { typeNames } from '../type-names.ts'
import { buildScalarSchema, errorSchema, limits, orNull, paginationSchema } from './common-schemas.ts'
import { type EntryForm, entryForms, ID } from './entry-forms.ts'

export interface ModelSchemas {
  readonly all: Readonly<Record<string, JsonSchema>>
  one(type: ContentType): JsonSchema
  list(type: ContentType): JsonSchema
  /** The entries that an operation on many entries wrote. */
  written(type: ContentType): JsonSchema
  /** Without the envelope, as plugins return their own entries. */
  flat(type: ContentType): JsonSchema
  input(type: ContentType): JsonSchema
}

type NameOf = (schema: Schema) => string

export function buildModelSchemas(model: Model): ModelSchemas {
  const form = entryForms[model.apiVersion.name]
  const names = typeNames(model)
  const getName: NameOf = (schema) => names.get(schema) ?? schema.uid
  const all: Record<string, JsonSchema> = { Error: errorSchema, Pagination: paginationSchema }
  for (const type of model.contentTypes.values()) {
    const name = getName(type)
    const attributes = ref(`${name}Attributes`)
    all[`${name}Attributes`] = attributesSchema(type, getName, form)
    all[name] = form.entry(type, attributes)
    all[`${name}Input`] = inputSchema(type, getName, form)
    if (form.flat !== undefined) all[`${name}Flat`] = form.flat(type, attributes)
    all[`${name}Response`] = responseSchema(ref(name))
    all[`${name}ListResponse`] = listSchema(ref(name))
  }
  for (const component of model.components.values()) {
    const name = getName(component)
    const { properties } = attributesSchema(component, getName, form)
    all[name] = {
      type: 'object',
      title: component.displayName,
      required: ['id'],
      properties: { id: ID, ...(properties as object) },
    }
    all[`${name}Input`] = inputSchema(component, getName, form)
  }
  return {
    all,
    one: (type) => ref(`${getName(type)}Response`),
    list: (type) => ref(`${getName(type)}ListResponse`),
    written: (type) => writtenSchema(ref(getName(type))),
    flat: (type) => ref(form.flat === undefined ? getName(type) : `${getName(type)}Flat`),
    input: (type) => ref(`${getName(type)}Input`),
  }
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function systemAttributes(schema: Schema): readonly ScalarAttribute[] {
  return 'systemAttributes' in schema ? [...(schema as ContentType).systemAttributes.values()] : []
}

function attributesSchema(schema: Schema, getName: NameOf, form: EntryForm): JsonSchema {
  const shown = [...schema.attributes.values()].filter((attribute) => !attribute.private)
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...shown.map((attribute) => [
        attribute.name,
        { ...answered(attribute, getName, form), ...(attribute.readOnly && { readOnly: true }) },
      ]),
      ...systemAttributes(schema).map((attribute) => [attribute.name, orNull(buildScalarSchema(attribute))]),
    ]),
  }
}

function responseSchema(entry: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: { anyOf: [entry, { type: 'null' }] }, meta: { type: 'object' } },
  }
}

function listSchema(entry: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: entry },
      meta: { type: 'object', properties: { pagination: ref('Pagination') } },
    },
  }
}

function writtenSchema(entry: JsonSchema): JsonSchema {
  const count = { type: 'integer', minimum: 1 }
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: entry },
      meta: {
        type: 'object',
        properties: { created: count, updated: count, deleted: count, plan: { const: true } },
      },
    },
  }
}

/** None is required: `fields` can leave out scalars; others appear only when populated. */
function answered(attribute: Attribute, getName: NameOf, form: EntryForm): JsonSchema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull(buildScalarSchema(attribute))
    case 'relation': {
      if (attribute.target === undefined) {
        const flat = {
          type: 'object',
          required: ['__type', 'id'],
          properties: { __type: { type: 'string' }, id: ID },
        }
        return attribute.cardinality === 'many' ? { type: 'array', items: flat } : orNull(flat)
      }
      return form.related(ref(getName(attribute.target)), attribute.cardinality === 'many')
    }
    case 'media':
      return form.related(ref(getName(attribute.target)), attribute.multiple)
    case 'component': {
      const component = ref(getName(attribute.component))
      return attribute.repeatable ? { type: 'array', items: component } : orNull(component)
    }
    case 'dynamiczone':
      return {
        type: 'array',
        items: { oneOf: attribute.components.map((component) => zoned(component, getName(component))) },
      }
  }
}

function zoned({ uid }: Component, name: string): JsonSchema {
  const own = { type: 'object', required: ['__component'], properties: { __component: { const: uid } } }
  return { allOf: [own, ref(name)] }
}

function once(schema: JsonSchema): JsonSchema {
  const { description } = schema
  const only = 'Can be set only when the entry is created.'
  return { ...schema, description: description === undefined ? only : `${description} ${only}` }
}

function inputSchema(schema: Schema, getName: NameOf, form: EntryForm): JsonSchema {
  const writable = [...schema.attributes.values()].filter((attribute) => attribute.writable)
  const type = 'publishedAt' in schema ? (schema as ContentType) : undefined
  const id = type === undefined ? [['id', ID]] : []
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...id,
      ...writable.map((attribute) => [
        attribute.name,
        attribute.writeOnce
          ? once(describeInput(attribute, getName, form))
          : describeInput(attribute, getName, form),
      ]),
      ...(type === undefined ? [] : form.given(type)).map((attribute) => [
        attribute.name,
        attribute.name === 'locale' ? buildScalarSchema(attribute) : orNull(buildScalarSchema(attribute)),
      ]),
    ]),
  }
}

function describeInput(attribute: Attribute, getName: NameOf, form: EntryForm): JsonSchema {
  switch (attribute.kind) {
    case 'scalar':
      return orNull({ ...buildScalarSchema(attribute), ...limits(attribute) })
    case 'relation':
    case 'media':
      return form.relationInput
    case 'component': {
      const component = ref(`${getName(attribute.component)}Input`)
      return orNull(attribute.repeatable ? { type: 'array', items: component } : component)
    }
    case 'dynamiczone': {
      const items = attribute.components.map((component) => zoned(component, `${getName(component)}Input`))
      return orNull({ type: 'array', items: { oneOf: items } })
    }
  }
}
