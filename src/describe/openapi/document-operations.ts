// The operations of a content-type in the dialect of Strapi 5.

import { versionActions } from '../../model/actions.ts'
import { hasVersions } from '../../model/content-dialect.ts'
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

export const documentOperations: Operations = (type, { list, one }, schemas, add) => {
  const oneAnswer = jsonAnswer(schemas.one(type))
  const ofOne = [fields, populate, ...localized(type, 'The locale of the document')]
  const reading = [...ofOne, ...versions(type, 'draft: the draft version; published: what is published')]
  if (type.kind === 'singleType') {
    add('GET', list, 'find', { answer: oneAnswer, parameters: reading })
  } else {
    const listing = [filters, sort, pagination, search, fields, populate]
    add('GET', list, 'find', {
      answer: jsonAnswer(schemas.list(type)),
      parameters: [
        ...listing,
        ...localized(type, 'The locale of the documents; * for every locale'),
        ...versions(type, 'draft: the draft version of every document; published: what is published'),
        ...cohorts(type),
      ],
    })
    add('GET', one, 'findOne', { answer: oneAnswer, parameters: reading })
  }
  const writing = {
    answer: oneAnswer,
    parameters: [...ofOne, ...versions(type, 'draft: is not published')],
    rest: jsonBody(wrapped(schemas.input(type))),
  }
  add('POST', list, 'create', { ...writing, status: 201 })
  add('PUT', one, 'update', writing)
  const gone = localized(type, 'The locale that is deleted; * for all of them')
  add('DELETE', one, 'delete', { status: 204, parameters: gone })
  if (!hasVersions(type)) return
  for (const action of versionActions) {
    const path = `${one}/actions/${action === 'discardDraft' ? 'discard' : action}`
    add('POST', path, action, { answer: oneAnswer, parameters: ofOne })
  }
}

function versions(type: ContentType, description: string): readonly Schema[] {
  if (!hasVersions(type)) return []
  const states = { type: 'string', enum: ['published', 'draft'], default: 'published' }
  return [query('status', states, description)]
}

function cohorts(type: ContentType): readonly Schema[] {
  if (!hasVersions(type)) return []
  return [query('hasPublishedVersion', { type: 'boolean' }, 'Documents that are published, or that are not')]
}
