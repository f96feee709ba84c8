// The operations of a content-type in the dialect of Strapi 4.

import type { ContentType } from '../../model/content-type.ts'
import { jsonAnswer, type Schema } from '../../plugins/openapi-operation.ts'
import {
  fields,
  filters,
  jsonBody,
  localized,
  type Operations,
  pagination,
  populate,
  query,
  search,
  sort,
  wrapped,
} from './operations.ts'

const LOCALE = 'The locale of the entries; all for every locale'

export const entryOperations: Operations = (type, { list, one }, schemas, addAny) => {
  const single = type.kind === 'singleType'
  const add: typeof addAny = (method, path, action, parts) =>
    addAny(method, path, action, { integerId: true, ...parts })
  const oneAnswer = jsonAnswer(schemas.one(type))
  const shaping = [fields, populate, ...localized(type, LOCALE)]
  if (single) {
    add('GET', list, 'find', { answer: oneAnswer, parameters: [...shaping, ...drafts(type)] })
  } else {
    const listing = [filters, sort, pagination, search, ...shaping, ...drafts(type)]
    add('GET', list, 'find', { answer: jsonAnswer(schemas.list(type)), parameters: listing })
    add('GET', one, 'findOne', { answer: oneAnswer, parameters: [fields, populate] })
  }
  const writing = {
    answer: oneAnswer,
    parameters: [fields, populate, ...(single ? localized(type, LOCALE) : [])],
  }
  add('POST', list, 'create', { ...writing, rest: body(schemas.input(type)) })
  add('PUT', one, 'update', { ...writing, rest: body(schemas.input(type)) })
  add('DELETE', one, 'delete', writing)
  add('POST', `${one}/localizations`, 'createLocalization', {
    answer: jsonAnswer(schemas.flat(type)),
    rest: jsonBody(schemas.input(type)),
  })
}

/** A JSON body with `data`, or a form with `data` and files. */
function body(input: Schema): Schema {
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

function drafts({ draftAndPublish }: ContentType): readonly Schema[] {
  if (!draftAndPublish) return []
  const states = { type: 'string', enum: ['live', 'preview'], default: 'live' }
  return [query('publicationState', states, 'preview: drafts, too')]
}
