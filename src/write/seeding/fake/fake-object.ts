// The values of one fake entry or component.

import type { Faker } from '@faker-js/faker'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from '../../../model/attribute.ts'
import type { Component, ContentType, Schema } from '../../../model/content-type.ts'

export interface MakeContext {
  readonly faker: Faker
  /** `exclusive`: each may be named once. */
  idsFor(target: ContentType, exclusive: string | undefined): readonly number[]
  /** Unique across entries if the attribute is unique. */
  scalar(schema: Schema, attribute: Attribute & { readonly kind: 'scalar' }): unknown
}

type Values = Record<string, unknown>

/** `keep`: selects the filled attributes. */
export function makeFakeObject(
  schema: Schema,
  making: MakeContext,
  keep: (attribute: Attribute) => boolean = () => true,
): Values {
  const values: Values = {}
  for (const attribute of schema.attributes.values()) {
    if (!keep(attribute)) continue
    const value = fakeValue(schema, attribute, making)
    if (value !== undefined) values[attribute.name] = value
  }
  return values
}

function fakeValue(schema: Schema, attribute: Attribute, making: MakeContext): unknown {
  const { faker } = making
  switch (attribute.kind) {
    case 'scalar':
      return making.scalar(schema, attribute)
    case 'relation': {
      // The inverse side and localizations are set automatically.
      const { target } = attribute
      if (
        target === undefined ||
        (!attribute.owner && !attribute.required) ||
        attribute.name === 'localizations'
      )
        return undefined
      const ids = making.idsFor(target, attribute.exclusive ? `${schema.uid}.${attribute.name}` : undefined)
      if (ids.length === 0) return undefined
      return attribute.cardinality === 'one'
        ? faker.helpers.arrayElement(ids)
        : faker.helpers.arrayElements(ids, { min: 1, max: Math.min(3, ids.length) })
    }
    case 'media': {
      // Pictures cannot be generated; required media use the file's own.
      const [id] = attribute.required ? making.idsFor(attribute.target, undefined) : []
      return id === undefined ? undefined : attribute.multiple ? [id] : id
    }
    case 'component':
      if (!attribute.repeatable) return makeFakeObject(attribute.component, making)
      return getList(attribute, making, () => makeFakeObject(attribute.component, making))
    case 'dynamiczone':
      return getList(attribute, making, () => {
        const component: Component = faker.helpers.arrayElement([...attribute.components])
        return { __component: component.uid, ...makeFakeObject(component, making) }
      })
  }
}

function getList(
  { min = 1, max = 3 }: ComponentAttribute | DynamicZoneAttribute,
  { faker }: MakeContext,
  make: () => unknown,
): unknown {
  const length = faker.number.int({ min: Math.min(min, max), max: Math.max(min, Math.min(max, 3)) })
  return Array.from({ length }, make)
}
