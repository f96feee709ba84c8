// Lists the names that an expression may use. Passwords, JSON and relations to several content-types have no
// value in expressions.

import { buildTable } from '../attribute-types/attribute-types.ts'
import type { Shape, Type } from '../expressions/expression.ts'
import { type Attribute, isToMany, type ScalarAttribute, type Schema } from './attribute.ts'
import type { ContentType } from './content-type.ts'

const getKind = buildTable(({ inExpressions }) => inExpressions)
const isSecret = buildTable(({ secret }) => secret)
const shapes = new WeakMap<Schema, Shape>()

/** Cached per schema. Relations must be linked before its names are used. */
export function describeSchema(schema: Schema): Shape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const shape: Shape = {
    name: schema.uid,
    member: (name) => {
      const attribute = getAttribute(schema, name)
      return attribute === undefined ? undefined : getType(attribute)
    },
    get names() {
      return [
        'id',
        ...schema.attributes.keys(),
        ...(isContentType(schema) ? schema.systemAttributes.keys() : []),
      ]
    },
  }
  shapes.set(schema, shape)
  return shape
}

const publicShapes = new WeakMap<Schema, Shape>()
const payloadShapes = new WeakMap<Schema, Shape>()

/** For entries that are read whole before the expression is evaluated. */
export function buildPublicShape(schema: Schema): Shape {
  const known = publicShapes.get(schema)
  if (known !== undefined) return known
  const shape: Shape = {
    name: schema.uid,
    member(name) {
      const attribute = getAttribute(schema, name)
      if (attribute === undefined) return undefined
      if (attribute.private) return `"${name}" is private, and only the database compares it`
      const type = getType(attribute)
      if (typeof type === 'string' || (type.kind !== 'entry' && type.kind !== 'entries')) return type
      if (attribute.kind === 'component')
        return `"${name}" is a component, which only the database looks into`
      const target =
        attribute.kind === 'relation' || attribute.kind === 'media' ? attribute.target : undefined
      return target === undefined ? undefined : { kind: type.kind, shape: buildPublicShape(target) }
    },
    names: describeSchema(schema).names,
  }
  publicShapes.set(schema, shape)
  return shape
}

export function buildPayloadShape(schema: Schema): Shape {
  const known = payloadShapes.get(schema)
  if (known !== undefined) return known
  const shape: Shape = {
    name: `the payload of ${schema.uid}`,
    member(name) {
      const attribute = schema.attributes.get(name)
      if (attribute === undefined) return undefined
      if (attribute.kind === 'scalar') return typeOfScalar(attribute)
      return `"${name}" has several forms in a payload: name the attribute itself, which is what will be stored`
    },
    names: [...schema.attributes.keys()],
  }
  payloadShapes.set(schema, shape)
  return shape
}

/** Includes private and system attributes. */
export function getAttribute(schema: Schema, name: string): Attribute | undefined {
  if (name === 'id') return schema.id
  return (
    schema.attributes.get(name) ?? (isContentType(schema) ? schema.systemAttributes.get(name) : undefined)
  )
}

function isContentType(schema: Schema): schema is ContentType {
  return 'systemAttributes' in schema
}

function getType(attribute: Attribute): Type | string {
  switch (attribute.kind) {
    case 'scalar':
      return typeOfScalar(attribute)
    case 'relation':
    case 'media': {
      if (attribute.target === undefined)
        return `"${attribute.name}" leads to entries of several content-types, which expressions cannot follow`
      const shape = describeSchema(attribute.target)
      return isToMany(attribute) ? { kind: 'entries', shape } : { kind: 'entry', shape }
    }
    case 'component': {
      const shape = describeSchema(attribute.component)
      return attribute.repeatable ? { kind: 'entries', shape } : { kind: 'entry', shape }
    }
    case 'dynamiczone':
      return `"${attribute.name}" is a dynamic zone, which expressions cannot follow`
  }
}

/** A string is the reason why expressions cannot use it. */
export function typeOfScalar(attribute: ScalarAttribute): Type | string {
  if (attribute.name === 'id') return { kind: 'int' }
  if (attribute.computed !== undefined) return explainNotComputed(attribute.name)
  if (isSecret[attribute.type]) return `"${attribute.name}" is a password, which expressions cannot use`
  const kind = getKind[attribute.type]
  if (kind === undefined)
    return `"${attribute.name}" is of type ${attribute.type}, which expressions cannot use`
  return kind === 'text' ? { kind, values: attribute.enum } : { kind }
}

export function explainNotComputed(name: string): string {
  return `"${name}" is computed, and expressions use what is stored`
}
