// The names that an expression may use of a content-type or component: its attributes, those of the runtime, and what
// relations lead to. Passwords, JSON and what leads to several content-types have no value in expressions.

import { buildTable } from '../attribute-types/attribute-types.ts'
import type { Shape, Type } from '../expressions/expression.ts'
import { type Attribute, type AttributeHolder, isToMany, type ScalarAttribute } from './attribute.ts'
import type { ContentType } from './content-type.ts'

const kindOf = buildTable(({ inExpressions }) => inExpressions)
const isSecret = buildTable(({ secret }) => secret)
const shapes = new WeakMap<AttributeHolder, Shape>()

/** The same object for the same holder. Relations must have been linked before its names are used. */
export function shapeOfHolder(holder: AttributeHolder): Shape {
  const known = shapes.get(holder)
  if (known !== undefined) return known
  const shape: Shape = {
    name: holder.uid,
    member: (name) => {
      const attribute = getAttribute(holder, name)
      return attribute === undefined ? undefined : getType(attribute)
    },
    get names() {
      return [
        'id',
        ...holder.attributes.keys(),
        ...(isContentType(holder) ? holder.systemAttributes.keys() : []),
      ]
    },
  }
  shapes.set(holder, shape)
  return shape
}

const publicShapes = new WeakMap<AttributeHolder, Shape>()
const payloadShapes = new WeakMap<AttributeHolder, Shape>()

/** Without private attributes: for entries that are read whole before the expression is evaluated. */
export function publicShape(holder: AttributeHolder): Shape {
  const known = publicShapes.get(holder)
  if (known !== undefined) return known
  const shape: Shape = {
    name: holder.uid,
    member(name) {
      const attribute = getAttribute(holder, name)
      if (attribute === undefined) return undefined
      if (attribute.private) return `"${name}" is private, and only the database compares it`
      const type = getType(attribute)
      if (typeof type === 'string' || (type.kind !== 'entry' && type.kind !== 'entries')) return type
      if (attribute.kind === 'component')
        return `"${name}" is a component, which only the database looks into`
      const target =
        attribute.kind === 'relation' || attribute.kind === 'media' ? attribute.target : undefined
      return target === undefined ? undefined : { kind: type.kind, shape: publicShape(target) }
    },
    names: shapeOfHolder(holder).names,
  }
  publicShapes.set(holder, shape)
  return shape
}

/** The scalar attributes that a payload may give. */
export function payloadShape(holder: AttributeHolder): Shape {
  const known = payloadShapes.get(holder)
  if (known !== undefined) return known
  const shape: Shape = {
    name: `the payload of ${holder.uid}`,
    member(name) {
      const attribute = holder.attributes.get(name)
      if (attribute === undefined) return undefined
      if (attribute.kind === 'scalar') return typeOfScalar(attribute)
      return `"${name}" has several forms in a payload: name the attribute itself, which is what will be stored`
    },
    names: [...holder.attributes.keys()],
  }
  payloadShapes.set(holder, shape)
  return shape
}

/** The attribute that a name of an expression means, private and system attributes included. */
export function getAttribute(holder: AttributeHolder, name: string): Attribute | undefined {
  if (name === 'id') return holder.id
  return (
    holder.attributes.get(name) ?? (isContentType(holder) ? holder.systemAttributes.get(name) : undefined)
  )
}

function isContentType(holder: AttributeHolder): holder is ContentType {
  return 'systemAttributes' in holder
}

function getType(attribute: Attribute): Type | string {
  switch (attribute.kind) {
    case 'scalar':
      return typeOfScalar(attribute)
    case 'relation':
    case 'media': {
      if (attribute.target === undefined)
        return `"${attribute.name}" leads to entries of several content-types, which expressions cannot follow`
      const shape = shapeOfHolder(attribute.target)
      return isToMany(attribute) ? { kind: 'entries', shape } : { kind: 'entry', shape }
    }
    case 'component': {
      const shape = shapeOfHolder(attribute.component)
      return attribute.repeatable ? { kind: 'entries', shape } : { kind: 'entry', shape }
    }
    case 'dynamiczone':
      return `"${attribute.name}" is a dynamic zone, which expressions cannot follow`
  }
}

/** The type of a scalar attribute in expressions, or why it has none. */
export function typeOfScalar(attribute: ScalarAttribute): Type | string {
  if (attribute.name === 'id') return { kind: 'int' }
  if (attribute.computed !== undefined) return whyNotComputed(attribute.name)
  if (isSecret[attribute.type]) return `"${attribute.name}" is a password, which expressions cannot use`
  const kind = kindOf[attribute.type]
  if (kind === undefined)
    return `"${attribute.name}" is of type ${attribute.type}, which expressions cannot use`
  return kind === 'text' ? { kind, values: attribute.enum } : { kind }
}

/** Why a computed attribute is of no use in expressions. */
export function whyNotComputed(name: string): string {
  return `"${name}" is computed, and expressions use what is stored`
}
