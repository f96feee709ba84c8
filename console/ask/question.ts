// A question that was clicked together -> its address, and the same in GraphQL.

import type { Attribute, Model, Type } from '../../src/console/described.ts'
import type { Filter } from '../data/load.ts'
import { attributesOf, queryText, typeOf } from '../data/values.ts'

export interface Question {
  /** A filter's name may be a path: `chef.name`. */
  readonly filters: readonly Filter[]
  readonly sort: string
  readonly fields: readonly string[]
  readonly populate: readonly string[]
  readonly pageSize: number
  readonly drafts: boolean
}

export const firstQuestion: Question = {
  filters: [],
  sort: '',
  fields: [],
  populate: [],
  pageSize: 10,
  drafts: false,
}

/** Scalars of the type and of what its relations and single components lead to, as paths. */
export function pathsOf(
  type: Type,
  model: Model,
): readonly { readonly path: string; readonly attribute: Attribute }[] {
  const isScalar = ({ kind, type: name, private: hidden }: Attribute): boolean =>
    kind === 'scalar' && hidden !== true && name !== 'password' && name !== 'json'
  const own = type.attributes.filter(isScalar).map((attribute) => ({ path: attribute.name, attribute }))
  const further = type.attributes
    .filter((one) => one.private !== true && (one.kind === 'relation' || one.kind === 'component'))
    .flatMap(({ name, target, component }) => {
      const below =
        component === undefined ? typeOf(model, target)?.attributes : attributesOf(model, component)
      return (below ?? [])
        .filter(isScalar)
        .map((attribute) => ({ path: `${name}.${attribute.name}`, attribute }))
    })
  return [...own, ...further]
}

function conditionOf(
  { name, operator, value }: Filter,
  typed: (text: string) => unknown,
): Record<string, unknown> {
  const valueless = operator === '$null' || operator === '$notNull'
  let condition: Record<string, unknown> = { [operator]: valueless ? typed('true') : typed(value) }
  for (const part of name.split('.').toReversed()) condition = { [part]: condition }
  return condition
}

function complete({ operator, value }: Filter): boolean {
  return value !== '' || operator === '$null' || operator === '$notNull'
}

export function addressOf(type: Type, question: Question): string {
  const { sort, fields, populate, pageSize, drafts } = question
  const filters = question.filters.filter(complete).map((filter) => conditionOf(filter, (text) => text))
  const merged = filters.length === 1 ? filters[0] : filters.length > 1 ? { $and: filters } : undefined
  const single = type.kind === 'singleType'
  const query = queryText({
    ...(merged === undefined || single ? {} : { filters: merged }),
    ...(single ? {} : { sort }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(populate.length === 0 ? {} : { populate }),
    ...(drafts && type.draftAndPublish ? { publicationState: 'preview' } : {}),
    ...(single ? {} : { pagination: { pageSize } }),
  })
  return `${type.path}${query === '' ? '' : `?${query}`}`
}

export function graphqlOf(type: Type, question: Question, model: Model): string {
  const { filters, sort, fields, populate, pageSize, drafts } = question
  const conditions = filters.filter(complete).map((filter) => {
    const attribute = pathsOf(type, model).find(({ path }) => path === filter.name)?.attribute
    return conditionOf(filter, (text) => typedValue(text, attribute, filter.operator))
  })
  const merged =
    conditions.length === 1 ? conditions[0] : conditions.length > 1 ? { and: conditions } : undefined
  const single = type.kind === 'singleType'
  const args = [
    ...(merged === undefined || single ? [] : [`filters: ${literal(merged)}`]),
    ...(sort === '' || single ? [] : [`sort: ${JSON.stringify(sort)}`]),
    ...(single ? [] : [`pagination: { pageSize: ${pageSize} }`]),
    ...(drafts && type.draftAndPublish ? ['publicationState: PREVIEW'] : []),
  ]
  const chosen = type.attributes.filter(
    ({ kind, name, type: scalar, private: hidden }) =>
      kind === 'scalar' &&
      hidden !== true &&
      scalar !== 'password' &&
      (fields.length === 0 || fields.includes(name)),
  )
  const names = chosen.map(({ name }) => name)
  const parts = populate.flatMap((name) => {
    const attribute = type.attributes.find((one) => one.name === name)
    return attribute === undefined ? [] : [selectionOf(attribute, model)]
  })
  const head = `${single ? type.graphqlOne : type.graphqlMany}${args.length === 0 ? '' : `(${args.join(', ')})`}`
  const lines = [...names, ...parts].flatMap((part) => part.split('\n'))
  return `{\n  ${head} {\n    data {\n      id\n      attributes {\n${lines.map((line) => `        ${line}\n`).join('')}      }\n    }\n  }\n}`
}

function scalarsOf(attributes: readonly Attribute[] = []): string {
  const names = attributes.filter(
    ({ kind, private: hidden, type }) => kind === 'scalar' && hidden !== true && type !== 'password',
  )
  return names.map(({ name }) => name).join(' ')
}

function selectionOf({ name, kind, target, component, components }: Attribute, model: Model): string {
  if (kind === 'component') return `${name} { ${scalarsOf(attributesOf(model, component ?? ''))} }`
  if (kind === 'dynamiczone') {
    const parts = (components ?? []).flatMap((uid) => {
      const part = model.components.find((one) => one.uid === uid)
      const names = scalarsOf(part?.attributes)
      return part === undefined || names === '' ? [] : [`  ... on ${part.graphqlName} { ${names} }`]
    })
    return `${name} {\n  __typename\n${parts.join('\n')}\n}`
  }
  const names = kind === 'media' ? 'name url mime' : scalarsOf(typeOf(model, target)?.attributes)
  return `${name} { data { id attributes { ${names === '' ? '__typename' : names} } } }`
}

function typedValue(text: string, attribute: Attribute | undefined, operator: string): unknown {
  if (operator === '$in') return text.split(',').map((item) => typedValue(item.trim(), attribute, '$eq'))
  if (operator === '$null' || operator === '$notNull') return true
  if (attribute?.type === 'boolean') return text === 'true'
  const isNumber = ['integer', 'float', 'decimal'].includes(attribute?.type ?? '')
  return isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}

/** A value in GraphQL's words; operators lose their `$`. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${key.replace(/^\$/, '')}: ${literal(item)}`)
  return `{ ${fields.join(', ')} }`
}
