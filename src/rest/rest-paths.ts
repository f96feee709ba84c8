// Defines the REST paths of a content-type's operations, in both API versions.

import type { Method } from '../http/route.ts'
import type { ActionName, OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'

interface RestPlace {
  readonly method: Method
  /** The part after the path of the list or entry. */
  readonly below?: string
  /** The router action that `rest.only` and `rest.except` name, if it is another one. */
  readonly router?: string
}

const places: Readonly<Record<ActionName, RestPlace>> = {
  find: { method: 'GET' },
  findOne: { method: 'GET' },
  create: { method: 'POST' },
  update: { method: 'PUT' },
  delete: { method: 'DELETE' },
  publish: { method: 'POST', below: '/actions/publish', router: 'update' },
  unpublish: { method: 'POST', below: '/actions/unpublish', router: 'update' },
  discardDraft: { method: 'POST', below: '/actions/discard', router: 'update' },
  createLocalization: { method: 'POST', below: '/localizations', router: 'create' },
}

interface RestPath {
  readonly method: Method
  readonly path: string
}

export function listPath({ kind, singularName, pluralName }: ContentType, prefix: string): string {
  return `${prefix}/${kind === 'singleType' ? singularName : pluralName}`
}

/** Returns undefined if the router of the content-type leaves the action out. */
export function getRestPath(
  type: ContentType,
  { action, hasId }: Pick<OperationShape, 'action' | 'hasId'>,
  prefix: string,
): RestPath | undefined {
  const { method, below = '', router = action } = places[action]
  // An update creates the entry of a single type.
  const served = router === 'create' && type.kind === 'singleType' ? 'update' : router
  if (!type.rest.actions.has(served)) return undefined
  return { method, path: `${listPath(type, prefix)}${hasId ? '/:id' : ''}${below}` }
}
