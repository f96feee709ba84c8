// What the generated routes of a content-type have in common in OpenAPI: their parameters and bodies.

import type { ContentType } from '../../model/content-type.ts'
import type { OperationParts, Schema } from '../../plugins/openapi-operation.ts'
import type { ModelSchemas } from './schemas.ts'

/** `action` is that of the permission. */
export type AddOperation = (method: string, path: string, action: string, parts: OperationParts) => void

/** The paths of a content-type: of its list, and of one entry. */
export interface TypePaths {
  readonly list: string
  readonly one: string
}

/** Adds the operations of a content-type. */
export type Operations = (
  type: ContentType,
  paths: TypePaths,
  schemas: ModelSchemas,
  add: AddOperation,
) => void

export function wrapped(input: Schema): Schema {
  return { type: 'object', required: ['data'], properties: { data: input } }
}

export function jsonBody(schema: Schema): Schema {
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

export function query(name: string, schema: Schema, description: string): Schema {
  return { name, in: 'query', required: false, description, schema }
}

function deep(name: string, description: string): Schema {
  return {
    ...query(name, { type: 'object', additionalProperties: true }, description),
    style: 'deepObject',
    explode: true,
  }
}

export const filters = deep('filters', 'filters[title][$contains]=x, with $and, $or and $not')
export const pagination = deep(
  'pagination',
  'pagination[page] and [pageSize], or [start] and [limit], or [after] and [pageSize]; [withCount]',
)
export const sort = query('sort', { type: 'string' }, 'title:desc, or several with commas')
export const fields = query('fields', { type: 'string' }, 'Attributes to answer, with commas')
export const populate = query(
  'populate',
  { type: 'string' },
  'What to populate: *, names with commas, or populate[name][…]',
)
export const search = query('_q', { type: 'string' }, 'Text to look for')

/** The parameter `locale`, for localized types. */
export function localized({ locale }: ContentType, description: string): readonly Schema[] {
  return locale === undefined ? [] : [query('locale', { type: 'string' }, description)]
}

export function pascal(name: string): string {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}
