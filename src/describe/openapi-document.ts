// The routes of a running generation -> an OpenAPI 3.1 document: all addresses, their requests and responses, and which
// of them need a token.

import type { Route } from '../http/route.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import {
  type DescribeOperations,
  jsonAnswer,
  type OperationParts,
  type Schema,
} from '../plugins/openapi-operation.ts'
import { type ModelSchemas, modelSchemas, ref } from './openapi-schemas.ts'

export interface DocumentParts {
  readonly model: Model
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  readonly prefix: string
  /** From the plugins; a route without a description is listed with its address only. */
  readonly describe: readonly DescribeOperations[]
  /** Actions that need no token. */
  readonly publicActions: ReadonlySet<string>
  readonly title: string
  readonly version: string
  /** The URL of the server. */
  readonly url: string
}

export function openapiDocument(parts: DocumentParts): Schema {
  const { model, routes, prefix, title, version, url } = parts
  const schemas = modelSchemas(model)
  const generated = generatedOperations(parts, schemas)
  const flat = (uid: string): Schema => {
    const type = model.contentTypes.get(uid)
    return type === undefined ? { type: 'object' } : schemas.flat(type)
  }
  const ofPlugins = new Map(parts.describe.flatMap((describe) => Object.entries(describe(flat))))
  const paths: Record<string, Record<string, Schema>> = {}
  const ids = new Set<string>()
  for (const { method, path } of routes) {
    const own =
      generated.get(`${method} ${path}`) ?? ofPlugins.get(`${method} ${path.slice(prefix.length)}`) ?? {}
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const operationId = uniqueId(own.operationId ?? idOf(method, path), ids)
    const operation = {
      operationId,
      summary: sentenceOf(operationId),
      tags: own.tags ?? [tagOf(path, prefix)],
      ...own.rest,
      parameters: [
        ...names.map((name) => pathParameter(name, own.integerId === true)),
        ...(own.parameters ?? []),
      ],
      responses: { 200: own.answer ?? { description: 'Done' }, '4XX': errorResponse, default: errorResponse },
    }
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: schemas.all,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a login.' },
      },
    },
  }
}

/** `createArticle` -> `Create article`. */
function sentenceOf(id: string): string {
  const words = id.replaceAll(/[^A-Za-z0-9]+/g, ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

const errorResponse: Schema = {
  description: 'An error',
  content: { 'application/json': { schema: ref('Error') } },
}

function generatedOperations(
  { model, prefix, publicActions }: DocumentParts,
  schemas: ModelSchemas,
): ReadonlyMap<string, OperationParts> {
  const operations = new Map<string, OperationParts>()
  for (const type of model.contentTypes.values()) {
    if (!type.uid.startsWith('api::')) continue
    const single = type.kind === 'singleType'
    const list = `${prefix}/${single ? type.singularName : type.pluralName}`
    const one = single ? list : `${list}/:id`
    const add = (method: string, path: string, action: string, parts: OperationParts): void => {
      const open = publicActions.has(`${type.uid}.${action}`)
      operations.set(`${method} ${path}`, {
        operationId: `${action}${pascal(type.singularName)}`,
        tags: [type.displayName],
        integerId: true,
        ...parts,
        rest: { ...parts.rest, ...(open && { security: [{}, { token: [] }] }) },
      })
    }
    const oneAnswer = jsonAnswer(schemas.one(type))
    const shaping = [fields, populate, ...localized(type)]
    if (single) {
      add('GET', list, 'find', { answer: oneAnswer, parameters: [...shaping, ...drafts(type)] })
    } else {
      const listing = [filters, sort, pagination, search, ...shaping, ...drafts(type)]
      add('GET', list, 'find', { answer: jsonAnswer(schemas.list(type)), parameters: listing })
      add('GET', one, 'findOne', { answer: oneAnswer, parameters: [fields, populate] })
    }
    const writing = { answer: oneAnswer, parameters: [fields, populate, ...(single ? localized(type) : [])] }
    add('POST', list, 'create', { ...writing, rest: body(schemas.input(type)) })
    add('PUT', one, 'update', { ...writing, rest: body(schemas.input(type)) })
    add('DELETE', one, 'delete', writing)
    add('POST', `${one}/localizations`, 'createLocalization', {
      answer: jsonAnswer(schemas.flat(type)),
      rest: {
        requestBody: { required: true, content: { 'application/json': { schema: schemas.input(type) } } },
      },
    })
  }
  return operations
}

/** A JSON body with `data`, or a form with `data` and files. */
function body(input: Schema): Schema {
  const wrapped = { type: 'object', required: ['data'], properties: { data: input } }
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
      content: { 'application/json': { schema: wrapped }, 'multipart/form-data': { schema: form } },
    },
  }
}

function query(name: string, schema: Schema, description: string): Schema {
  return { name, in: 'query', required: false, description, schema }
}

function deep(name: string, description: string): Schema {
  return {
    ...query(name, { type: 'object', additionalProperties: true }, description),
    style: 'deepObject',
    explode: true,
  }
}

const filters = deep('filters', 'filters[title][$contains]=x, with $and, $or and $not')
const pagination = deep(
  'pagination',
  'pagination[page] and [pageSize], or [start] and [limit], or [after] and [pageSize]; [withCount]',
)
const sort = query('sort', { type: 'string' }, 'title:desc, or several with commas')
const fields = query('fields', { type: 'string' }, 'Attributes to answer, with commas')
const populate = query(
  'populate',
  { type: 'string' },
  'What to populate: *, names with commas, or populate[name][…]',
)
const search = query('_q', { type: 'string' }, 'Text to look for')

function drafts({ draftAndPublish }: ContentType): readonly Schema[] {
  if (!draftAndPublish) return []
  return [
    query(
      'publicationState',
      { type: 'string', enum: ['live', 'preview'], default: 'live' },
      'preview: drafts, too',
    ),
  ]
}

function localized({ locale }: ContentType): readonly Schema[] {
  return locale === undefined
    ? []
    : [query('locale', { type: 'string' }, 'The locale of the entries; all for every locale')]
}

function pathParameter(name: string, integer: boolean): Schema {
  return {
    name,
    in: 'path',
    required: true,
    schema: integer ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }
}

function tagOf(path: string, prefix: string): string {
  const [first = ''] = (path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path.slice(1)).split(
    '/',
  )
  return first
}

function idOf(method: string, path: string): string {
  return method.toLowerCase() + pascal(path.replaceAll(/[^A-Za-z0-9]+/g, '-'))
}

function pascal(name: string): string {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`
  taken.add(id)
  return id
}
