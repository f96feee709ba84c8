// Describes the REST operations of a content-type: their parameters, bodies and responses.

import { type OperationShape, takesData, versionActions } from '../../model/actions.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import { isRanked } from '../../plan/plan-search.ts'
import {
  describeJsonResponse,
  type JsonSchema,
  type OperationDescription,
} from '../../plugins/openapi-operation.ts'
import type { ModelSchemas } from './schemas.ts'

export const batchOperation: OperationDescription = {
  operationId: 'batch',
  tags: ['batch'],
  response: describeJsonResponse(summary({ type: 'array', items: {} })),
  rest: {
    description: 'Several operations in one transaction; $1.id is the id of the first result',
    security: [{}, { token: [] }],
    ...jsonBody({
      type: 'object',
      required: ['operations'],
      properties: {
        operations: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            required: ['operation'],
            properties: {
              operation: { type: 'string', description: 'article.create' },
              id: { type: ['string', 'integer'] },
              query: { type: 'object' },
              data: {},
              filters: { type: 'object' },
              on: {},
            },
          },
        },
      },
    }),
  },
}

export function describeOperation(
  type: ContentType,
  shape: OperationShape,
  schemas: ModelSchemas,
): OperationDescription {
  if (shape.effect === 'summarize') return describeSummary(type, shape)
  const input = schemas.input(type)
  const isDocument = type.document !== undefined
  const parameters = isDocument ? documentParameters(type, shape) : entryParameters(type, shape)
  const common = { parameters, ...(!isDocument && { integerId: true }) }
  if (shape.action === 'createLocalization')
    return { ...common, response: describeJsonResponse(schemas.flat(type)), rest: jsonBody(input) }
  if (shape.output === 'nothing') return { ...common, status: 204 }
  if (shape.output === 'entries')
    return {
      ...common,
      parameters: [...parameters, plan],
      response: describeJsonResponse(schemas.written(type)),
      rest: jsonBody(describePayload(shape, input)),
    }
  return {
    ...common,
    response: describeJsonResponse(shape.output === 'list' ? schemas.list(type) : schemas.one(type)),
    ...(isDocument && shape.action === 'create' && { status: 201 }),
    ...(takesData(shape) && { rest: isDocument ? jsonBody(wrapped(input)) : formOrJson(input) }),
  }
}

function describeSummary(type: ContentType, { output }: OperationShape): OperationDescription {
  const filtering = [filters, search, ...localized(type, 'The locale of the entries'), ...describeState(type)]
  if (output === 'number')
    return {
      parameters: filtering,
      response: describeJsonResponse(
        summary({ type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }),
      ),
    }
  return {
    parameters: [...filtering, ...aggregating],
    response: describeJsonResponse(
      summary({ type: 'array', items: { type: 'object', additionalProperties: true } }),
    ),
  }
}

function describeState(type: ContentType): readonly JsonSchema[] {
  return type.document === undefined
    ? publicationState(type)
    : status(type, 'draft: the draft version of every document')
}

function summary(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data', 'meta'], properties: { data, meta: { type: 'object' } } }
}

function describePayload({ takes }: OperationShape, input: JsonSchema): JsonSchema {
  const properties = {
    ...(takes.includes('filters') && { filters: conditions }),
    ...(takes.includes('on') && { on }),
    ...(takes.includes('data') && { data: input }),
    ...(takes.includes('items') && { data: { type: 'array', items: input } }),
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

function entryParameters(
  type: ContentType,
  { action, output, takes }: OperationShape,
): readonly JsonSchema[] {
  const locale = localized(type, 'The locale of the entries; all for every locale')
  const single = type.kind === 'singleType'
  if (action === 'createLocalization') return []
  const shaping = [fields, populate]
  if (action === 'find')
    return [
      ...(output === 'list' ? describeListing(type) : []),
      ...shaping,
      ...locale,
      ...publicationState(type),
    ]
  return single || takes.includes('filters') ? [...shaping, ...locale] : shaping
}

function documentParameters(
  type: ContentType,
  { action, effect, output }: OperationShape,
): readonly JsonSchema[] {
  if (output === 'list')
    return [
      ...describeListing(type),
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

function describeListing(type: ContentType): readonly JsonSchema[] {
  return isRanked(type) ? [...listing, highlight] : listing
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

const conditions = { type: 'object', description: 'As in the query of a list; {} selects every entry' }
const name = { type: 'string' }
const on = {
  anyOf: [name, { type: 'array', items: name }],
  description: 'The unique attribute, or the attributes that are unique together, that find the entry',
}
const plan = query('plan', { type: 'boolean', default: false }, 'true: the response alone; nothing changes')
const fields = query('fields', { type: 'string' }, 'Attributes of the response, separated by commas')
const populate = query(
  'populate',
  { type: 'string' },
  'What to populate: *, names with commas, or populate[name][…]',
)
const filters = deep('filters', 'filters[title][$contains]=x, with $and, $or and $not')
const search = query('_q', { type: 'string' }, 'Text to look for')
const highlight = query(
  '_highlight',
  { type: 'boolean', default: false },
  'true: _highlight of each entry is HTML by attribute, with the words of _q in <mark>',
)
const listing = [
  filters,
  query('sort', { type: 'string' }, 'title:desc, or several with commas'),
  deep(
    'pagination',
    'pagination[page] and [pageSize], or [start] and [limit], or [after] and [pageSize]; [withCount]',
  ),
  search,
]
const aggregating = [
  deep('aggregate', 'aggregate[count]=*, aggregate[avg]=rating; also countDistinct, min, max and sum'),
  query('groupBy', { type: 'string' }, 'Attributes, paths such as author.name, and month(createdAt)'),
  deep('having', 'having[count][$gt]=1'),
  query('sort', { type: 'string' }, 'avg.rating:desc, or a name of groupBy'),
  deep('pagination', 'pagination[page] and [pageSize], or [start] and [limit]'),
]
