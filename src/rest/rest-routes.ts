// Creates all routes of the REST API for a model.

import type { Route } from '../http/route.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownTypes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { Pipeline } from '../operations/pipeline.ts'
import type { RestOptions } from './rest-options.ts'
import { getRestPath, listPath } from './rest-paths.ts'
import { createStrapi4Face } from './strapi-4.ts'
import { createStrapi5Face } from './strapi-5.ts'

export function createRestRoutes(
  model: Model,
  operations: OperationTable,
  pipeline: Pipeline,
  options: RestOptions,
): readonly Route[] {
  const { prefix } = options
  const isUid = (uid: string): boolean => model.contentTypes.has(uid) || model.components.has(uid)
  const face = model.apiVersion.documents
    ? createStrapi5Face({ ...options, isUid })
    : createStrapi4Face(options)
  return ownTypes(model)
    .flatMap((type) => [
      ...operations.of(type).flatMap((operation) => {
        const place = getRestPath(type, operation, prefix)
        return place === undefined ? [] : [{ ...place, handler: pipeline.serve(operation, face) }]
      }),
      ...(type.document === undefined ? [] : formerLocalizationRoutes(type, prefix)),
    ])
    .map((route) => ({ ...route, face: 'rest' }))
}

/** Explains to a Strapi 4 client that the address has been replaced. */
function formerLocalizationRoutes(type: ContentType, prefix: string): readonly Route[] {
  if (!type.localized) return []
  return [
    {
      method: 'POST',
      path: `${listPath(type, prefix)}${type.kind === 'singleType' ? '' : '/:id'}/localizations`,
      handler: () => {
        const message = 'Method Not Allowed: a locale is added with PUT and ?locale='
        throw new ApiError('MethodNotAllowedError', message, {}, { allow: '' })
      },
    },
  ]
}
