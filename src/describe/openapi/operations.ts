// Describes the REST operations of a content-type: their parameters, bodies and responses.

import { type OperationShape, versionActions } from '../../model/actions.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import {
  describeJsonResponse,
  type JsonSchema,
  type OperationDescription,
} from '../../plugins/openapi-operation.ts'
import type { ModelSchemas } from './schemas.ts'

export function describeOperation(
  type: ContentType,
  shape: OperationShape,
  schemas: ModelSchemas,
): OperationDescription {
  const input = schemas.input(type)
  const isDocument = type.document !== undefined
  const parameters = isDocument ? documentParameters(type, shape) : entryParameters(type, shape)
  const common = { parameters, ...(!isDocument && { integerId: true }) }
  if (shape.action === 'createLocalization')
    return { ...common, response: describeJsonResponse(schemas.flat(type)), rest: jsonBody(input) }
  if (shape.output === 'nothing') return { ...common, status: 204 }
  return {
    ...common,
    response: describeJsonResponse(shape.output === 'list' ? schemas.list(type) : schemas.one(type)),
    ...(isDocument && shape.action === 'create' && { status: 201 }),
    ...(shape.hasData && { rest: isDocument ? jsonBody(wrapped(input)) : formOrJson(input) }),
  }
}

function entryParameters(type: ContentType, { action, output }: OperationShape): readonly JsonSchema[] {
  const locale = localized(type, 'The locale of the entries; all for every locale')
  const single = type.kind === 'singleType'
  if (action === 'createLocalization') return []
  const shaping = [fields, populate]
  if (action === 'find')
    return [...(output === 'list' ? listing : []), ...shaping, ...locale, ...publicationState(type)]
  return single ? [...shaping, ...locale] : shaping
}

function documentParameters(
  type: ContentType,
  { action, effect, output }: OperationShape,
): readonly JsonSchema[] {
  if (output === 'list')
    return [
      ...listing,
      ...[fields, populate],
      ...localized(type, 'The locale of the documents; * for every locale'),
      ...status(type, 'draft: the draft version of every document; published: what is published'),
      ...describePublicationFilter(type),
    ]
  if (output === 'nothing') return localized(type, 'The locale that is deleted; * for all of them')
  const ofOne = [fields, populate, ...localized(type, 'The locale of the document')]
  if (versionActions.some((one) => one === action)) return ofOne
  const versions = effect === 'read' ? 'the draft version; published: what is published' : 'is not published'
  return [...ofOne, ...status(type, `draft: ${versions}`)]
}

function publicationState({ draftAndPublish }: ContentType): readonly JsonSchema[] {
  if (!draftAndPublish) return []
  const states = { type: 'string', enum: ['live', 'preview'], default: 'live' }
  return [query('publicationState', states, 'preview: drafts, too')]
}

function status(type: ContentType, description: string): readonly JsonSchema[] {
  if (!hasVersions(type)) return []
  const states = { type: 'string', enum: ['published', 'draft'], default: 'published' }
  return [query('status', states, description)]
}

function describePublicationFilter(type: ContentType): readonly JsonSchema[] {
  if (!hasVersions(type)) return []
  return [query('hasPublishedVersion', { type: 'boolean' }, 'Documents that are published, or that are not')]
}

function localized({ locale }: ContentType, description: string): readonly JsonSchema[] {
  return locale === undefined ? [] : [query('locale', { type: 'string' }, description)]
}

function formOrJson(input: JsonSchema): JsonSchema {
  const form = {
    type: 'object',
    required: ['data'],
    properties: {
      data: { type: 'string', description: 'The data as JSON; files stand beside it as files.<attribute>.' },
    },
  }
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: wrapped(input) }, 'multipart/form-data': { schema: form } },
    },
  }
}

function wrapped(input: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data: input } }
}

function jsonBody(schema: JsonSchema): JsonSchema {
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

function query(name: string, schema: JsonSchema, description: string): JsonSchema {
  return { name, in: 'query', required: false, description, schema }
}

function deep(name: string, description: string): JsonSchema {
  return {
    ...query(name, { type: 'object', additionalProperties: true }, description),
    style: 'deepObject',
    explode: true,
  }
}

const fields = query('fields', { type: 'string' }, 'Attributes of the response, separated by commas')
const populate = query(
  'populate',
  { type: 'string' },
  'What to populate: *, names with commas, or populate[name][…]',
)
const listing = [
  deep('filters', 'filters[title][$contains]=x, with $and, $or and $not'),
  query('sort', { type: 'string' }, 'title:desc, or several with commas'),
  deep(
    'pagination',
    'pagination[page] and [pageSize], or [start] and [limit], or [after] and [pageSize]; [withCount]',
  ),
  query('_q', { type: 'string' }, 'Text to look for'),
]
