// Defines the REST paths of a content-type's operations, in both API versions.

import type { Method } from '../http/route.ts'
import type { OperationName, OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'

interface RestPlace {
  readonly method: Method
  /** The part after the path of the list or entry. */
  readonly below?: string
  /** The router actions that `rest.only` and `rest.except` name, if they are others: all must be served. */
  readonly router?: readonly string[]
}

const places: Readonly<Record<OperationName, RestPlace>> = {
  find: { method: 'GET' },
  findOne: { method: 'GET' },
  create: { method: 'POST' },
  update: { method: 'PUT' },
  delete: { method: 'DELETE' },
  publish: { method: 'POST', below: '/actions/publish', router: ['update'] },
  unpublish: { method: 'POST', below: '/actions/unpublish', router: ['update'] },
  discardDraft: { method: 'POST', below: '/actions/discard', router: ['update'] },
  aggregate: { method: 'GET', below: '/aggregate', router: ['find'] },
  count: { method: 'GET', below: '/count', router: ['find'] },
  createMany: { method: 'POST', below: '/actions/create-many', router: ['create'] },
  updateMany: { method: 'POST', below: '/actions/update-many', router: ['update'] },
  deleteMany: { method: 'POST', below: '/actions/delete-many', router: ['delete'] },
  upsert: { method: 'POST', below: '/actions/upsert', router: ['create', 'update'] },
  upsertMany: { method: 'POST', below: '/actions/upsert-many', router: ['create', 'update'] },
  createLocalization: { method: 'POST', below: '/localizations', router: ['create'] },
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
  const { method, below = '', router = [action] } = places[action]
  // An update creates the entry of a single type.
  const isServed = (name: string): boolean =>
    type.rest.actions.has(name === 'create' && type.kind === 'singleType' ? 'update' : name)
  if (!router.every(isServed)) return undefined
  return { method, path: `${listPath(type, prefix)}${hasId ? '/:id' : ''}${below}` }
}
