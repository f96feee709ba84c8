// Refuses a name in a query. Unknown, private and forbidden attributes get the same message; only the
// explanation, for development, differs.

import { didYouMean } from '../lib/did-you-mean.ts'
import { type ApiError, createInvalidParameter, type Explanation } from '../lib/errors/api-error.ts'
import { createInvalidKey } from '../lib/errors/invalid-key.ts'
import { shortenActionName } from '../model/actions.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import { findAttribute, getReadable, isContentType, listSystemAttributes } from './find-attribute.ts'
import type { PlanContext } from './planning.ts'

export type Use = 'filters' | 'sort' | 'fields' | 'populate'

export function createUnusableName(planning: PlanContext, schema: Schema, name: string, use: Use): ApiError {
  const documents = isContentType(schema) && schema.document !== undefined
  const refused = documents
    ? createInvalidKey(name, isKnownName(schema, name) ? [name] : [], use)
    : createInvalidParameter(name)
  return refused.because(() => explainUnusable(planning, schema, name, use))
}

/** Attributes of Strapi's content-types; clients may not name them where a schema lacks them. */
const OF_STRAPI: ReadonlySet<string> = new Set([
  ...['createdBy', 'updatedBy', 'locale', 'localizations', 'folderPath'],
])

/** Strapi's refusal of a name that it knows has the name itself as its path. */
export function isKnownName(schema: Schema, name: string): boolean {
  return schema.attributes.has(name) || OF_STRAPI.has(name)
}

export function explainUnusable(planning: PlanContext, schema: Schema, name: string, use: Use): Explanation {
  const attribute = schema.attributes.get(name) ?? listSystemAttributes(schema)?.get(name)
  if (attribute === undefined) {
    if (use === 'fields' && name.includes(',')) {
      return { message: 'a comma separates no names in fields: write fields[0]=a&fields[1]=b' }
    }
    if (use === 'sort' && name.startsWith('-'))
      return { message: `a minus does not turn the order: write sort=${name.slice(1, MAX_NAME_LENGTH)}:desc` }
    const near = didYouMean(name, usableNames(planning, schema, use))
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    return { message: `${schema.uid} has no attribute "${name.slice(0, MAX_NAME_LENGTH)}"${hint}` }
  }
  if (attribute.private) return { message: `"${name}" is private: no request can name it` }
  if (getReadable(planning, schema)?.has(name) === false && schema.attributes.has(name))
    return { message: `"${name}" is not among the "fields" of the caller's permission for ${schema.uid}` }
  if (attribute.kind === 'relation' && attribute.target !== undefined) {
    const { target } = attribute
    if (!planning.access.visible(target)) return explainHidden(name, target)
  }
  return { message: otherUse(name, attribute.kind === 'scalar', use) }
}

export function explainHidden(name: string, target: ContentType): Explanation {
  const permission = `${target.uid}.find`
  return {
    permission,
    message: `"${name}" leads to ${target.uid}, which needs the permission ${shortenActionName(permission)}`,
  }
}

function otherUse(name: string, isScalar: boolean, use: Use): string {
  if (isScalar) {
    return use === 'populate'
      ? `"${name}" holds a value of its own and is part of the response; "fields" chooses among such attributes`
      : `"${name}" holds a value of its own: no other name can follow it`
  }
  if (use === 'fields') return `"${name}" holds other entries or components: write populate=${name}`
  if (use === 'sort') return `"${name}" has no value to sort by: name an attribute of it, such as ${name}.id`
  return `"${name}" holds entries or components of several types, which "${use}" cannot look into`
}

function usableNames(planning: PlanContext, schema: Schema, use: Use): readonly string[] {
  const names = ['id', ...schema.attributes.keys(), ...(listSystemAttributes(schema)?.keys() ?? [])]
  return names.filter((name) => {
    const kind = findAttribute(planning, schema, name)?.kind
    if (kind === undefined) return false
    return use === 'populate' ? kind !== 'scalar' : use !== 'fields' || kind === 'scalar'
  })
}

/** Characters. */
const MAX_NAME_LENGTH = 100
