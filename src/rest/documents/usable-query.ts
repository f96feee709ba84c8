// Removes from a checked query the parts that Strapi 5 ignores silently, such as paths to entries that the
// caller may not find.

import type { Access } from '../../model/access.ts'
import type { Attribute } from '../../model/attribute.ts'
import { getSchemaBehind, listSchemasBehind } from '../../model/attribute-targets.ts'
import type { Schema } from '../../model/content-type.ts'
import { isQueryObject, type QueryValue } from '../query-string.ts'

type Options = { readonly [key: string]: QueryValue }

export function keepUsablePopulate(schema: Schema, value: QueryValue, access: Access): QueryValue {
  if (typeof value === 'string') {
    const paths = value.split(',').filter((path) => isSeen(schema, path.trim(), access))
    return paths.join(',')
  }
  if (Array.isArray(value)) return value.map((element) => keepUsablePopulate(schema, element, access))
  if (!isQueryObject(value)) return value
  const usable: Record<string, QueryValue> = {}
  for (const [key, options] of Object.entries(value)) {
    if (/^\d+$/.test(key)) usable[key] = keepUsablePopulate(schema, options, access)
    else if (isSeen(schema, key, access)) {
      const attribute = schema.attributes.get(key)
      usable[key] = attribute === undefined ? options : usableOptions(attribute, options, access)
    }
  }
  return usable
}

function isSeen(schema: Schema, path: string, access: Access): boolean {
  let at: Schema | undefined = schema
  for (const name of path.split('.')) {
    const attribute: Attribute | undefined = at?.attributes.get(name)
    if (attribute === undefined) return true
    if (attribute.kind === 'relation' && attribute.target !== undefined && !access.visible(attribute.target))
      return false
    at = getSchemaBehind(attribute)
  }
  return true
}

function usableOptions(attribute: Attribute, value: QueryValue, access: Access): QueryValue {
  if (Array.isArray(value)) return value.map((element) => usableOptions(attribute, element, access))
  const target = getSchemaBehind(attribute)
  if (!isQueryObject(value))
    return target !== undefined &&
      typeof value === 'string' &&
      target.attributes.has(value.split('.')[0] ?? '')
      ? keepUsablePopulate(target, value, access)
      : value
  const { on } = value
  return {
    ...(target === undefined ? value : withUsablePopulate(target, value, access)),
    ...(isQueryObject(on) && { on: usableOn(attribute, on, access) }),
  }
}

const BOOLEANS: readonly QueryValue[] = ['true', 't', '1', 'false', 'f', '0']

/** As the `populate` of a populated field, Strapi 5.0 to 5.49 take a boolean and populate nothing by it. */
export function isBoolean(value: QueryValue): boolean {
  return BOOLEANS.includes(value)
}

function withUsablePopulate(schema: Schema, { populate, ...others }: Options, access: Access): Options {
  return populate === undefined || isBoolean(populate)
    ? others
    : { ...others, populate: keepUsablePopulate(schema, populate, access) }
}

function usableOn(attribute: Attribute, on: Options, access: Access): Options {
  const schemas = listSchemasBehind(attribute)
  const usable: Record<string, QueryValue> = {}
  for (const [uid, options] of Object.entries(on)) {
    const schema = schemas.find((one) => one.uid === uid)
    if (schema === undefined) continue
    usable[uid] = isQueryObject(options) ? withUsablePopulate(schema, options, access) : options
  }
  return usable
}

export function keepUsableSort(value: QueryValue): QueryValue {
  if (typeof value === 'string')
    return value
      .split(',')
      .filter((key) => !key.trim().startsWith(':'))
      .join(',')
  if (Array.isArray(value)) return value.map(keepUsableSort)
  if (!isQueryObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, order]) => order !== '')
      .map(([key, below]) => [key, isQueryObject(below) ? keepUsableSort(below) : below]),
  )
}
