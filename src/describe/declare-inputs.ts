// Declares the payloads of a content-type or component in TypeScript.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { Attribute } from '../model/attribute.ts'
import type { Component, Schema } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { block, getScalarType, key, orNull, text, union } from './declaration-text.ts'
import { type DeclarationContext, isDocument } from './declaring.ts'

export function declareInputs(schema: Schema, declaring: DeclarationContext): readonly string[] {
  const name = declaring.getName(schema)
  const writable = [...schema.attributes.values()].filter((attribute) => attribute.writable)
  // A component does not know whether its entry is a draft.
  const lenient = !isContentType(schema) && declaring.mayBeDraft(schema)
  const members = writable.map((attribute) => inputMember(attribute, declaring, lenient))
  if (!isContentType(schema)) {
    const id = '/** A component that is there already. */\n  id?: number'
    return [block(`export interface ${name}Input`, [id, ...members])]
  }
  const system = isDocument(schema)
    ? []
    : [
        ...(schema.publishedAt === undefined ? [] : ['publishedAt?: string | null']),
        ...(schema.locale === undefined ? [] : [`locale?: ${getScalarType(schema.locale, 'taken')}`]),
      ]
  const once = writable.filter(({ writeOnce }) => writeOnce).map((attribute) => text(attribute.name))
  const changeable = once.length === 0 ? `${name}Input` : `Omit<${name}Input, ${union(once)}>`
  const update = declaring.mayBeDraft(schema) ? 'Nullable' : 'Changes'
  return [
    block(`/** What a new ${name} is made from. */\nexport interface ${name}Input`, [...members, ...system]),
    `/** What may be changed of ${name}. */\nexport type ${name}Update = ${update}<${changeable}>`,
  ]
}

function inputMember(attribute: Attribute, declaring: DeclarationContext, lenient: boolean): string {
  const needed = attribute.required && !lenient
  const mark = needed && !isFilledIn(attribute) ? '' : '?'
  const type = inputType(attribute, declaring)
  // Lists are emptied by an empty list; null is refused.
  const nullable = !needed && !isList(attribute)
  return `${key(attribute.name)}${mark}: ${nullable ? orNull(type) : type}`
}

function isList(attribute: Attribute): boolean {
  return attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.repeatable)
}

/** A type of the attributes that only the server's own code may set or change. */
export function declareClosedType(schema: Schema, declaring: DeclarationContext): string {
  const members = [...schema.attributes.values()]
    .filter(({ readOnly, writeOnce }) => readOnly || writeOnce)
    .filter((attribute) => attribute.kind !== 'scalar' || attribute.computed === undefined)
    .map((attribute) => `${key(attribute.name)}?: ${inputType(attribute, declaring)}`)
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

function isFilledIn(attribute: Attribute): boolean {
  if (attribute.kind !== 'scalar') return false
  if (attributeTypes[attribute.type].slug) return attribute.targetField !== undefined
  return attribute.default !== undefined && attribute.default !== null
}

function inputType(attribute: Attribute, { getName }: DeclarationContext): string {
  const getInput = (component: Component): string => `${getName(component)}Input`
  switch (attribute.kind) {
    case 'scalar':
      return getScalarType(attribute, 'taken')
    case 'relation':
      if (attribute.target === undefined) return 'AnyRelatedInput'
      return `${isDocument(attribute.target) ? 'DocumentsInput' : 'RelatedInput'}<${getName(attribute.target)}Input>`
    case 'media':
      return 'RelatedInput'
    case 'component':
      return attribute.repeatable
        ? `readonly ${getInput(attribute.component)}[]`
        : getInput(attribute.component)
    case 'dynamiczone': {
      const each = attribute.components.map(
        (component) => `({ readonly __component: ${text(component.uid)} } & ${getInput(component)})`,
      )
      return `readonly (${union(each)})[]`
    }
  }
}
