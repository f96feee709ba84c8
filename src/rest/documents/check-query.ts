// Refuses names that a query may not use: attributes, options and operators, each with its path.

import { ApiError } from '../../lib/errors/api-error.ts'
import { createInvalidKey, type Path } from '../../lib/errors/invalid-key.ts'
import type { Access } from '../../model/access.ts'
import type { Attribute } from '../../model/attribute.ts'
import { getSchemaBehind, listSchemasBehind } from '../../model/attribute-targets.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { findAttribute } from '../../plan/find-attribute.ts'
import { joiners, operators, SIZE } from '../../plan/operators.ts'
import { isCount } from '../../plan/plan-sort.ts'
import { type PlanContext, startPlanning } from '../../plan/planning.ts'
import type { SortKey } from '../../plan/read-plan.ts'
import { explainUnusable, isKnownName, type Use } from '../../plan/unusable-name.ts'
import { isQueryObject, type QueryValue } from '../query-string.ts'
import { isBoolean } from './usable-query.ts'

interface CheckContext {
  readonly type: ContentType
  readonly planning: PlanContext
  readonly param: Use
  readonly isUid: IsUid
}

export type IsUid = (uid: string) => boolean

export function checkQuery(
  type: ContentType,
  query: { readonly [key: string]: QueryValue },
  access: Access,
  isUid: IsUid,
): void {
  const checking = (param: Use): CheckContext => ({ type, planning: startPlanning(access), param, isUid })
  const { filters, sort, fields, populate } = query
  if (filters !== undefined && filters !== null) checkFilters(checking('filters'), type, filters, [])
  if (sort !== undefined && sort !== null) checkSort(checking('sort'), type, sort, [])
  if (fields !== undefined && fields !== null) checkFields(checking('fields'), type, fields)
  if (populate !== undefined && populate !== null) checkPopulate(checking('populate'), type, populate, [])
}

/** An unknown name is reported with its parent's path, a forbidden one with its own. */
function named({ planning, param }: CheckContext, schema: Schema, name: string, path: Path): Attribute {
  const attribute = findAttribute(planning, schema, name)
  if (attribute === undefined) throw unusable({ planning, param }, schema, name, path)
  return attribute
}

function unusable(
  { planning, param }: Pick<CheckContext, 'planning' | 'param'>,
  schema: Schema,
  name: string,
  path: Path,
): ApiError {
  const refused = createInvalidKey(name, isKnownName(schema, name) ? [...path, name] : path, param)
  return refused.because(() => explainUnusable(planning, schema, name, param))
}

function checkFilters(checking: CheckContext, schema: Schema, value: QueryValue, path: Path): void {
  if (Array.isArray(value)) {
    for (const element of value) checkFilters(checking, schema, element, path)
    return
  }
  if (!isQueryObject(value)) {
    if (path.length > 0) return
    throw new ApiError('ValidationError', 'The filters parameter must be an object or an array')
  }
  for (const [key, operand] of Object.entries(value)) {
    if (joiners.has(key)) {
      checkFilters(checking, schema, operand, path.length === 0 ? ROOT : path)
      continue
    }
    if (operators.has(key) || (key === SIZE && path.length > 0)) continue
    const own = path === ROOT ? [] : path
    if (key.startsWith('$')) throw createInvalidKey(key, own, checking.param)
    const attribute = named(checking, schema, key, own)
    const at = [...own, key]
    if (attribute.kind === 'scalar') {
      // Names below a JSON attribute are a path in its value.
      if (attribute.type !== 'json') checkOperators(checking, operand, at)
      continue
    }
    const target = getSchemaBehind(attribute)
    if (target === undefined) throw createInvalidKey(key, at, checking.param)
    if (operand !== null && typeof operand === 'object') checkFilters(checking, target, operand, at)
  }
}

/** Marks the root, where a text may stand below `$and`. */
const ROOT: Path = []

function checkOperators(checking: CheckContext, value: QueryValue, path: Path): void {
  if (Array.isArray(value)) for (const element of value) checkOperators(checking, element, path)
  else if (isQueryObject(value))
    for (const [key, operand] of Object.entries(value)) {
      if (!operators.has(key) && !joiners.has(key)) throw createInvalidKey(key, path, checking.param)
      if (typeof operand === 'object') checkOperators(checking, operand, path)
    }
}

function checkSort(checking: CheckContext, schema: Schema, value: QueryValue, path: Path): void {
  if (typeof value === 'string') {
    for (const part of value.split(',')) {
      const [names = '', order] = part.trim().split(':')
      if (names === '') continue
      checkSortPath(checking, schema, names.split('.'), order, path)
    }
  } else if (Array.isArray(value)) {
    const texts = value.filter((element) => typeof element === 'string').length
    if (texts > 0 && texts < value.length) throw createInvalidKey('0', path, checking.param)
    for (const element of value) checkSort(checking, schema, element, path)
  } else if (isQueryObject(value)) {
    for (const [key, below] of Object.entries(value)) {
      const [first = '', ...more] = key.split('.')
      if (more.length > 0 || typeof below === 'string')
        checkSortPath(checking, schema, [first, ...more], typeof below === 'string' ? below : undefined, path)
      else {
        const attribute = named(checking, schema, first, path)
        const target = getSchemaBehind(attribute)
        if (target === undefined) throw createInvalidKey(first, [...path, first], checking.param)
        checkSort(checking, target, below, [...path, first])
      }
    }
  }
}

function checkSortPath(
  checking: CheckContext,
  schema: Schema,
  names: readonly string[],
  order: string | undefined,
  above: Path,
): void {
  let at: Schema = schema
  let path: Path = above
  let before: SortKey['through'][number] | undefined
  for (const [index, name] of names.entries()) {
    if (before !== undefined && isCount(before, at, names.slice(index))) return
    if (name in Object.prototype && !at.attributes.has(name))
      throw new ApiError('ValidationError', 'Invalid sort query', {})
    const attribute = named(checking, at, name, path)
    path = [...path, name]
    if (attribute.kind === 'scalar') {
      const next = names[index + 1]
      if (next !== undefined && attribute.type !== 'json') throw createInvalidKey(next, path, checking.param)
      return
    }
    const target = getSchemaBehind(attribute)
    if (target === undefined) throw createInvalidKey(name, path, checking.param)
    if (index === names.length - 1) throw createInvalidKey(order ?? name, path, checking.param)
    at = target
    before = attribute.kind === 'dynamiczone' ? undefined : attribute
  }
}

function checkFields(checking: CheckContext, schema: Schema, value: QueryValue): void {
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  for (const name of texts.flatMap((text) => text.split(','))) {
    const trimmed = name.trim()
    if (trimmed === '*') continue
    const [first = '', ...path] = trimmed.split('.')
    const before = path.length > 0 ? schema.attributes.get(first) : undefined
    // Names behind a JSON attribute are a path in its value.
    const isPath = before?.kind === 'scalar' && before.type === 'json'
    const attribute = named(checking, schema, isPath ? first : trimmed, [])
    if (attribute.kind !== 'scalar') throw createInvalidKey(trimmed, [trimmed], checking.param)
  }
}

const YES: ReadonlySet<string> = new Set(['true', '1', 't', '*'])
const NO: ReadonlySet<string> = new Set(['false', '0', 'f', ''])

function checkPopulate(checking: CheckContext, schema: Schema, value: QueryValue, path: Path): void {
  if (typeof value === 'string') {
    for (const part of value.split(',')) checkPopulatePath(checking, schema, part.trim(), path)
  } else if (Array.isArray(value)) {
    // A list of objects comes from repeated keys; a list of both, from one key given twice.
    if (value.every(isQueryObject)) throw invalidPopulate()
    for (const element of value) checkPopulate(checking, schema, element, path)
  } else if (isQueryObject(value)) {
    for (const [key, options] of Object.entries(value)) {
      if (key === '*') continue
      if (/^\d+$/.test(key)) checkPopulate(checking, schema, options, path)
      else checkMember(checking, schema, key, options, path)
    }
  }
}

function invalidPopulate(): ApiError {
  return new ApiError(
    'ValidationError',
    'Invalid populate parameter. Expected a string, an array of strings, a populate object',
    {},
  )
}

/** A refused name is reported with its whole path. */
function checkPopulatePath(checking: CheckContext, schema: Schema, text: string, above: Path): void {
  if (text === '' || text === '*') return
  let at: Schema | undefined = schema
  let path = above
  for (const name of text.split('.')) {
    path = [...path, name]
    if (name === '*') return
    if (at === undefined) return
    const attribute = populatable(at, name)
    if (attribute === undefined) throw createInvalidKey(name, path, checking.param)
    at = getSchemaBehind(attribute)
  }
}

/** An attribute that the caller may not see is left out of the response instead. */
function populatable(schema: Schema, name: string): Attribute | undefined {
  const attribute = schema.attributes.get(name)
  if (attribute === undefined || attribute.kind === 'scalar' || attribute.private) return undefined
  return attribute
}

function checkMember(
  checking: CheckContext,
  schema: Schema,
  key: string,
  options: QueryValue,
  path: Path,
): void {
  const [name = '', ...below] = key.split('.')
  const attribute = populatable(schema, name)
  if (attribute === undefined) throw unusable(checking, schema, name, path)
  if (below.length > 0) {
    checkPopulatePath(checking, schema, key, path)
    return
  }
  const at = [...path, name]
  if (typeof options === 'string') {
    if (YES.has(options) || NO.has(options)) return
    const target = getSchemaBehind(attribute)
    throw createInvalidKey(
      options,
      target?.attributes.has(options) === true ? [...at, options] : at,
      checking.param,
    )
  }
  const each = Array.isArray(options) ? options : [options]
  for (const one of each) if (isQueryObject(one)) checkOptions(checking, attribute, one, at)
}

function checkOptions(
  checking: CheckContext,
  attribute: Attribute,
  options: { readonly [key: string]: QueryValue },
  path: Path,
): void {
  const target = getSchemaBehind(attribute)
  for (const [key, value] of Object.entries(options)) {
    if (key === 'on') {
      checkOn(checking, attribute, value, path)
      continue
    }
    if (target === undefined) {
      // A dynamic zone can only be populated as a whole, or by `on`.
      if (key === 'populate' && (value === '*' || value === 'true')) continue
      if (attribute.kind === 'relation' && (key === 'populate' || key === 'fields')) continue
      if (attribute.kind === 'dynamiczone' && key !== 'populate')
        throw noFragment(checking, attribute, options)
      throw createInvalidKey(key, path, checking.param)
    }
    switch (key) {
      case 'populate':
        if (!isBoolean(value)) checkPopulate(checking, target, value, path)
        break
      case 'filters':
        checkFilters(checking, target, value, [])
        break
      case 'fields':
        checkFields(checking, target, value)
        break
      case 'sort':
        checkSort(checking, target, value, [])
        break
      case 'count':
        break
      default:
        throw createInvalidKey(
          key,
          key === 'locale' && isLocalized(target) ? [...path, key] : path,
          checking.param,
        )
    }
  }
}

function noFragment({ type }: CheckContext, { name }: Attribute, options: unknown): ApiError {
  const found = JSON.stringify(options).slice(0, 200)
  return new ApiError(
    'ValidationError',
    `Invalid nested populate for ${type.singularName}.${name} (${type.uid}). Expected a fragment ("on") or "count" but found ${found}`,
    {},
  )
}

function isLocalized(schema: Schema): boolean {
  return 'localized' in schema && schema.localized === true
}

function checkOn(checking: CheckContext, attribute: Attribute, value: QueryValue, path: Path): void {
  if (!isQueryObject(value)) throw createInvalidKey('on', [...path, 'on'], checking.param)
  const schemas = listSchemasBehind(attribute)
  for (const [uid, options] of Object.entries(value)) {
    const schema = schemas.find((one) => one.uid === uid)
    if (schema === undefined && !checking.isUid(uid)) throw createInvalidKey(uid, path, checking.param)
    if (schema === undefined || !isQueryObject(options)) continue
    for (const [key, below] of Object.entries(options)) {
      if (key === 'populate') {
        if (!isBoolean(below)) checkPopulate(checking, schema, below, [...path, uid])
      } else if (key === 'filters') checkFilters(checking, schema, below, [])
      else if (key === 'fields') checkFields(checking, schema, below)
      else if (key === 'sort') checkSort(checking, schema, below, [])
      else throw createInvalidKey(key, [...path, uid], checking.param)
    }
  }
}
