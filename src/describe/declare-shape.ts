// Declares the shape of a content-type or component, from which the types of queries and responses are made.

import { listOperationShapes } from '../model/actions.ts'
import type { Attribute } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { getRestPath } from '../rest/rest-paths.ts'
import { block, key, text, union } from './declaration-text.ts'
import { declareClosedType } from './declare-inputs.ts'
import { isMissingInDrafts, listResponseFields, listResponseScalars } from './declare-responses.ts'
import { type DeclarationContext, isDocument } from './declaring.ts'

export function shapeBlocks(schema: Schema, declaring: DeclarationContext): readonly string[] {
  const name = declaring.getName(schema)
  const members = listResponseFields(schema)
  const published = [...listResponseScalars(schema), ...members].filter((attribute) =>
    isMissingInDrafts(declaring, schema, attribute),
  )
  const listed = members.map(
    (member) => `  readonly ${key(member.name)}: ${memberShape(member, schema, declaring)}`,
  )
  const shape = [
    ...(declaring.documents ? [`readonly dialect: 'strapi-5'`] : []),
    ...(isDocument(schema) ? ['readonly ids: { readonly id: number; readonly documentId: string }'] : []),
    `readonly fields: ${name}Fields`,
    `readonly published: ${union(published.map((attribute) => text(attribute.name)))}`,
    listed.length === 0 ? 'readonly members: {}' : `readonly members: {\n  ${listed.join('\n  ')}\n  }`,
    `readonly flat: ${name}`,
    `readonly entity: ${name}Entity`,
  ]
  if (!isContentType(schema)) return [block(`export interface ${name}Shape`, shape)]
  const draft = schema.draftAndPublish ? getDraft(name, isDocument(schema)) : 'never'
  const actions = schema.uid.startsWith('api::')
    ? listOperationShapes(schema)
        .filter((shape) => getRestPath(schema, shape, '') !== undefined)
        .map(({ action }) => text(action))
    : []
  return [
    block(`export interface ${name}Shape`, [
      ...shape,
      `readonly input: ${name}Input`,
      `readonly draft: ${draft}`,
      `readonly update: ${name}Update`,
      `readonly closed: ${declareClosedType(schema, declaring)}`,
      `readonly actions: ${union(actions)}`,
      `readonly counts: ${declaring.withCount}`,
    ]),
    [
      `export type ${name}Filters = Filters<${name}Shape>`,
      `export type ${name}Sort = Sort<${name}Shape>`,
      `export type ${name}Populate = Populate<${name}Shape>`,
    ].join('\n'),
  ]
}

/** A draft of a document is requested outside the data. */
function getDraft(name: string, document: boolean): string {
  return document ? `${name}Update` : `${name}Update & { readonly publishedAt: null }`
}

function memberShape(attribute: Attribute, schema: Schema, declaring: DeclarationContext): string {
  const getShape = (target: Schema): string => `${declaring.getName(target)}Shape`
  switch (attribute.kind) {
    case 'scalar':
      return 'never'
    case 'relation': {
      const many = attribute.cardinality === 'many'
      if (attribute.target === undefined) return many ? 'AnyMany' : 'AnyOne'
      const kind =
        attribute.relation === 'morphMany' && !declaring.documents ? 'ManyOrNull' : many ? 'ToMany' : 'ToOne'
      return `${kind}<${getShape(attribute.target)}>`
    }
    case 'media':
      return `${!attribute.multiple ? 'ToOne' : declaring.documents ? 'ToMany' : 'ManyOrNull'}<${getShape(attribute.target)}>`
    case 'component': {
      const shape = getShape(attribute.component)
      if (attribute.repeatable) return `ComponentList<${shape}>`
      return attribute.required && !declaring.mayBeDraft(schema)
        ? `ComponentField<${shape}, never>`
        : `ComponentField<${shape}>`
    }
    case 'dynamiczone': {
      const each = attribute.components.map(
        (component) => `readonly ${text(component.uid)}: ${getShape(component)}`,
      )
      return `Zone<{ ${each.join('; ')} }>`
    }
  }
}
