// Where REST serves the operations of a content-type, in both versions of the API.

import type { Method } from '../http/route.ts'
import type { ActionName, OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'

interface RestPlace {
  readonly method: Method
  /** Behind the path of the list, or of the entry. */
  readonly below?: string
  /** The action of the router that `rest.only` and `rest.except` name, if not its own. */
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
  /** With `:id` for the entry. */
  readonly path: string
}

/** The path of the list of a content-type, or of its one entry. */
export function listPath({ kind, singularName, pluralName }: ContentType, prefix: string): string {
  return `${prefix}/${kind === 'singleType' ? singularName : pluralName}`
}

/** Undefined where the router of the content-type leaves the action out. */
export function restPath(
  type: ContentType,
  { action, hasId }: Pick<OperationShape, 'action' | 'hasId'>,
  prefix: string,
): RestPath | undefined {
  const { method, below = '', router = action } = places[action]
  // The entry of a single type is made by an update.
  const served = router === 'create' && type.kind === 'singleType' ? 'update' : router
  if (!type.rest.actions.has(served)) return undefined
  return { method, path: `${listPath(type, prefix)}${hasId ? '/:id' : ''}${below}` }
}
