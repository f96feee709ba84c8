// Converts a query of the builder to GraphQL, for either API version.

import type { Attribute, Component, Model, Type } from '../../described.ts'
import { type Filter, isValueless } from '../data/load.ts'
import { listAttributes } from '../data/values.ts'
import {
  getConditions,
  isShown,
  listAttributesAlong,
  listMembers,
  type Populate,
  type RequestDraft,
} from './query.ts'

export function toGraphql(type: Type, question: RequestDraft, model: Model): string {
  const single = type.kind === 'singleType'
  const { fields, populate } = question
  const args = getArguments(type, question, model)
  const chosen = getScalars(type.attributes).filter((name) => fields.length === 0 || fields.includes(name))
  const selected = [...chosen, ...formatPopulated(type.attributes, populate, model)]
  const head = `${single ? type.graphqlOne : type.graphqlMany}${args.length === 0 ? '' : `(${args.join(', ')})`}`
  const query = isFlat(model)
    ? block(head, ['documentId', ...selected])
    : block(head, [block('data', ['id', ...attributesBlock(selected)])])
  return block('', [query])
}

function isFlat({ dialect }: Model): boolean {
  return dialect === 'strapi-5'
}

function getArguments(type: Type, query: RequestDraft, model: Model): readonly string[] {
  const { sort, pageSize, drafts } = query
  const filters = getConditions(query, (filter) =>
    typedValue(filter, listAttributesAlong(type, model, filter.name).at(-1)),
  )
  const merged = filters.length > 1 ? { and: filters } : filters[0]
  const state = isFlat(model) ? 'status: DRAFT' : 'publicationState: PREVIEW'
  const ofList = [
    ...(merged === undefined ? [] : [`filters: ${literal(merged)}`]),
    ...(sort === '' ? [] : [`sort: ${JSON.stringify(sort)}`]),
    `pagination: { pageSize: ${pageSize} }`,
  ]
  return [...(type.kind === 'singleType' ? [] : ofList), ...(drafts && type.draftAndPublish ? [state] : [])]
}

function block(head: string, lines: readonly string[]): string {
  const inner = lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}\n`)
  return `${head === '' ? '' : `${head} `}{\n${inner.join('')}}`
}

function attributesBlock(selected: readonly string[]): readonly string[] {
  return selected.length === 0 ? [] : [block('attributes', selected)]
}

function getScalars(attributes: readonly Attribute[]): readonly string[] {
  return attributes
    .filter((attribute) => attribute.kind === 'scalar' && isShown(attribute))
    .map(({ name }) => name)
}

function formatPopulated(
  attributes: readonly Attribute[],
  populate: Populate,
  model: Model,
): readonly string[] {
  return Object.entries(populate).flatMap(([name, below]) => {
    const attribute = attributes.find((one) => one.name === name)
    return attribute === undefined ? [] : formatSelection(attribute, below, model)
  })
}

function formatSelection(attribute: Attribute, below: Populate, model: Model): readonly string[] {
  const { name, kind, target } = attribute
  const selected = [
    ...getScalars(listMembers(attribute, model) ?? []),
    ...formatPopulated(listMembers(attribute, model) ?? [], below, model),
  ]
  switch (kind) {
    case 'scalar':
      return []
    case 'component':
      return [block(name, selected.length === 0 ? ['id'] : selected)]
    case 'dynamiczone':
      return [formatZone(attribute, below, model)]
    case 'media':
      return [formatEntries(name, ['name', 'url', 'mime'], model)]
    case 'relation':
      // GraphQL omits relations that may lead to any type.
      return target === undefined ? [] : [formatEntries(name, selected, model)]
  }
}

function formatEntries(name: string, selected: readonly string[], model: Model): string {
  if (isFlat(model)) return block(name, ['documentId', ...selected])
  return block(name, [block('data', ['id', ...attributesBlock(selected)])])
}

function formatZone({ name, components = [] }: Attribute, below: Populate, model: Model): string {
  const parts = model.components.filter(({ uid }) => components.includes(uid))
  const fragments = parts.flatMap((part) => {
    const selected = [
      ...getScalars(part.attributes).map((one) => aliased(one, part, parts)),
      ...formatPopulated(listAttributes(model, part.uid), below[part.uid] ?? {}, model),
    ]
    return selected.length === 0 ? [] : [block(`... on ${part.graphqlName}`, selected)]
  })
  return block(name, ['__typename', ...fragments])
}

/** Fields of one name must have one type within a selection. */
function aliased(name: string, own: Component, parts: readonly Component[]): string {
  const shapes = parts.flatMap(({ attributes }) => {
    const found = attributes.find((attribute) => attribute.name === name)
    return found === undefined ? [] : [`${found.type} ${found.required === true} ${found.enum}`]
  })
  return new Set(shapes).size > 1 ? `${own.graphqlName}_${name}: ${name}` : name
}

function typedValue(filter: Filter, attribute: Attribute | undefined): unknown {
  const { operator, value } = filter
  if (isValueless(filter)) return true
  if (operator === '$in') return value.split(',').map((item) => typedText(item.trim(), attribute))
  return typedText(value, attribute)
}

function typedText(text: string, attribute: Attribute | undefined): unknown {
  if (attribute?.type === 'boolean') return text === 'true'
  const isNumber = ['integer', 'float', 'decimal'].includes(attribute?.type ?? '')
  return isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${key.replace(/^\$/, '')}: ${literal(item)}`)
  return `{ ${fields.join(', ')} }`
}
