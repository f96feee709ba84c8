// Declares the results of a content-type or component, flat and in Strapi's envelope.

import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { Component, Schema } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { block, comment, getScalarType, key, orNull, text, union } from './declaration-text.ts'
import { type DeclarationContext, isDocument } from './declaring.ts'

type PopulatedAttribute = Exclude<Attribute, ScalarAttribute>

export function listResponseScalars(schema: Schema): readonly ScalarAttribute[] {
  const declared = [...schema.attributes.values()].filter((attribute) => attribute.kind === 'scalar')
  const system = isContentType(schema) ? [...schema.systemAttributes.values()] : []
  return [...declared, ...system].filter((attribute) => !attribute.private)
}

export function listResponseFields(schema: Schema): readonly PopulatedAttribute[] {
  return [...schema.attributes.values()].filter(
    (attribute): attribute is PopulatedAttribute =>
      attribute.kind !== 'scalar' &&
      !attribute.private &&
      (attribute.kind !== 'relation' || attribute.populatable),
  )
}

/** Whether it is never null in published entries; relations and files can be deleted. */
function isAlwaysThere(attribute: Attribute): boolean {
  if (attribute.kind === 'scalar') return attribute.required || attribute.system
  return attribute.kind === 'component' && attribute.required && !attribute.repeatable
}

export function isMissingInDrafts(
  declaring: DeclarationContext,
  schema: Schema,
  attribute: Attribute,
): boolean {
  if (isContentType(schema) && attribute === schema.publishedAt) return true
  const ofRuntime = attribute.kind === 'scalar' && attribute.system
  return isAlwaysThere(attribute) && !ofRuntime && declaring.mayBeDraft(schema)
}

export function declareResponses(schema: Schema, declaring: DeclarationContext): readonly string[] {
  const name = declaring.getName(schema)
  const scalars = listResponseScalars(schema).map((attribute) => {
    const type = getScalarType(attribute, 'answered')
    const never = isAlwaysThere(attribute) && !isMissingInDrafts(declaring, schema, attribute)
    return `readonly ${key(attribute.name)}: ${never ? type : orNull(type)}`
  })
  const isSettled = (member: PopulatedAttribute): boolean =>
    isAlwaysThere(member) && !isMissingInDrafts(declaring, schema, member)
  const members = listResponseFields(schema)
  const flat = members.map(
    (member) => `readonly ${key(member.name)}?: ${flatType(member, isSettled(member), declaring)}`,
  )
  const wire = members.map(
    (member) => `readonly ${key(member.name)}?: ${wireType(member, isSettled(member), declaring)}`,
  )
  const ids = ['readonly id: number', ...(isDocument(schema) ? ['readonly documentId: string'] : [])]
  const head = `export interface ${name} extends ${name}Fields`
  const about = `${getAbout(schema)} (\`${schema.uid}\`)`
  const blocks = [
    block(`/** ${about}, as an object; what is optional is there when it is populated. */\n${head}`, [
      ...ids,
      ...flat,
    ]),
    block(`export interface ${name}Fields`, scalars),
  ]
  if (declaring.documents)
    return [...blocks, `/** The same in a REST response. */\nexport type ${name}Entity = ${name}`]
  if (!isContentType(schema))
    return [
      ...blocks,
      block(`/** The same in a REST response. */\nexport interface ${name}Entity extends ${name}Fields`, [
        ...ids,
        ...wire,
      ]),
    ]
  return [
    ...blocks,
    block(`/** The same in a REST response. */\nexport interface ${name}Entity`, [
      ...ids,
      `readonly attributes: ${name}Attributes`,
    ]),
    block(`export interface ${name}Attributes extends ${name}Fields`, wire),
  ]
}

function getAbout(schema: Schema): string {
  const description = 'description' in schema ? schema.description : undefined
  return comment(
    typeof description === 'string' ? `${schema.displayName}: ${description}` : schema.displayName,
  )
}

function flatType(attribute: PopulatedAttribute, settled: boolean, { getName }: DeclarationContext): string {
  switch (attribute.kind) {
    case 'relation': {
      const one = attribute.target === undefined ? 'AnyEntry' : getName(attribute.target)
      return attribute.cardinality === 'many' ? `readonly ${one}[]` : `${one} | null`
    }
    case 'media':
      return attribute.multiple
        ? `readonly ${getName(attribute.target)}[]`
        : `${getName(attribute.target)} | null`
    case 'component':
      return part(attribute.repeatable, settled, getName(attribute.component))
    case 'dynamiczone':
      return zone(attribute.components, getName)
  }
}

function wireType(attribute: PopulatedAttribute, settled: boolean, { getName }: DeclarationContext): string {
  switch (attribute.kind) {
    case 'relation': {
      const many = attribute.cardinality === 'many'
      // Entries of any type are flat, without an envelope.
      if (attribute.target === undefined) return many ? 'readonly AnyEntity[]' : 'AnyEntity | null'
      const one = `${getName(attribute.target)}Entity`
      const orNone = attribute.relation === 'morphMany' ? ' | null' : ''
      return `{ readonly data: ${many ? `readonly ${one}[]${orNone}` : `${one} | null`} }`
    }
    case 'media': {
      const one = `${getName(attribute.target)}Entity`
      return `{ readonly data: ${attribute.multiple ? `readonly ${one}[]` : one} | null }`
    }
    case 'component':
      return part(attribute.repeatable, settled, `${getName(attribute.component)}Entity`)
    case 'dynamiczone':
      return zone(attribute.components, (component) => `${getName(component)}Entity`)
  }
}

function part(repeatable: boolean, settled: boolean, component: string): string {
  if (repeatable) return `readonly ${component}[]`
  return settled ? component : orNull(component)
}

function zone(components: readonly Component[], getName: (component: Component) => string): string {
  const each = components.map(
    (component) => `({ readonly __component: ${text(component.uid)} } & ${getName(component)})`,
  )
  return `readonly (${union(each)})[]`
}
