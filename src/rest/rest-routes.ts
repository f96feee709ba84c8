// Creates all routes of the REST API for a model. Plugins have their own routes for their content-types.

import type { Guard } from '../auth/guard.ts'
import type { Content } from '../content/content.ts'
import type { Route } from '../http/route.ts'
import type { Model } from '../model/model.ts'
import { collectionTypeRoutes } from './collection-type-routes.ts'
import { documentRoutes } from './documents/document-routes.ts'
import { formerLocalizationRoutes, localizationRoutes } from './localization-routes.ts'
import { createQueryMemory } from './remember-queries.ts'
import type { RestOptions } from './rest-options.ts'
import { singleTypeRoutes } from './single-type-routes.ts'

export function restRoutes(
  model: Model,
  content: Content,
  guard: Guard,
  settings: Omit<RestOptions, 'rememberQueries'>,
): readonly Route[] {
  const options: RestOptions = { ...settings, rememberQueries: createQueryMemory() }
  const isUid = (uid: string): boolean => model.contentTypes.has(uid) || model.components.has(uid)
  return [...model.contentTypes.values()]
    .filter((type) => type.uid.startsWith('api::'))
    .flatMap((type) => {
      if (type.document !== undefined)
        return [
          ...documentRoutes(type, content, guard, { ...options, isUid }),
          ...formerLocalizationRoutes(type, options),
        ]
      return [
        ...(type.kind === 'singleType'
          ? singleTypeRoutes(type, content, guard, options)
          : collectionTypeRoutes(type, content, guard, options)),
        ...localizationRoutes(type, content, guard, options),
      ]
    })
    .map((route) => ({ ...route, face: 'rest' }))
}
