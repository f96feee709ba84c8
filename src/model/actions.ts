// The actions that permissions can allow.

import type { Model } from './model.ts'

/** The actions of the generated router, by kind of content-type. */
export const generatedActions = {
  collectionType: ['find', 'findOne', 'create', 'update', 'delete'],
  singleType: ['find', 'update', 'delete'],
} as const

/** The actions on the versions of documents. */
export const versionActions = ['publish', 'unpublish', 'discardDraft'] as const

/** Whether the action is one on the versions of documents, and not a program's own of the same name. */
export function isVersionAction(id: string, actions: ReadonlySet<string>): boolean {
  const dot = id.lastIndexOf('.')
  if (!versionActions.some((action) => action === id.slice(dot + 1))) return false
  return versionActions.every((action) => actions.has(`${id.slice(0, dot)}.${action}`))
}

/**
 * `api::<api>.<type>.<action>` for every content-type of the file, with `createLocalization` if it is localized, and
 * the plugins' actions. Actions that `rest.only` removes from the router are included: other APIs may serve them.
 */
export function actionsOfModel(
  model: Pick<Model, 'contentTypes'>,
  pluginActions: Iterable<string>,
): ReadonlySet<string> {
  const actions = new Set<string>()
  for (const type of model.contentTypes.values()) {
    if (!type.uid.startsWith('api::')) continue
    for (const action of generatedActions[type.kind]) actions.add(`${type.uid}.${action}`)
    if (type.document?.versions === true)
      for (const action of versionActions) actions.add(`${type.uid}.${action}`)
    if (type.localized) actions.add(`${type.uid}.createLocalization`)
  }
  for (const action of pluginActions) actions.add(action)
  return actions
}

/** `article.find` for `api::article.article.find`, as files write it; other actions have no shorter name. */
export function shortActionName(action: string): string {
  const [, api, type, name] = /^api::([^.]+)\.([^.]+)\.([^.]+)$/.exec(action) ?? []
  return api !== undefined && api === type ? `${type}.${name}` : action
}
