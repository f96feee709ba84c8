// The actions of the API: those that permissions can allow, and the shape of each operation.

import type { ContentType } from './content-type.ts'
import type { Model } from './model.ts'

export const generatedActions = {
  collectionType: ['find', 'findOne', 'create', 'update', 'delete'],
  singleType: ['find', 'update', 'delete'],
} as const

export const versionActions = ['publish', 'unpublish', 'discardDraft'] as const

export type VersionAction = (typeof versionActions)[number]

export type ActionName =
  | (typeof generatedActions)['collectionType'][number]
  | VersionAction
  | 'createLocalization'

export interface OperationShape {
  readonly action: ActionName
  readonly effect: 'read' | 'write'
  readonly hasId: boolean
  readonly hasData: boolean
  readonly output: 'list' | 'entry' | 'nothing'
}

export function listOperationShapes(type: ContentType): readonly OperationShape[] {
  return listActions(type)
    .filter((action) => action !== 'createLocalization' || type.document === undefined)
    .map((action) => buildShape(type, action))
}

export function ownTypes({ contentTypes }: Pick<Model, 'contentTypes'>): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
}

function listActions(type: ContentType): readonly ActionName[] {
  return [
    ...generatedActions[type.kind],
    ...(type.document?.versions === true ? versionActions : []),
    ...(type.localized ? (['createLocalization'] as const) : []),
  ]
}

const READS: ReadonlySet<ActionName> = new Set(['find', 'findOne'])
const WITH_DATA: ReadonlySet<ActionName> = new Set(['create', 'update', 'createLocalization'])
const WITHOUT_ID: ReadonlySet<ActionName> = new Set(['find', 'create'])

function buildShape({ kind, document }: ContentType, action: ActionName): OperationShape {
  const single = kind === 'singleType'
  const output = action === 'delete' && document !== undefined ? 'nothing' : 'entry'
  return {
    action,
    effect: READS.has(action) ? 'read' : 'write',
    hasId: !single && !WITHOUT_ID.has(action),
    hasData: WITH_DATA.has(action),
    output: action === 'find' && !single ? 'list' : output,
  }
}

/** False for a program's own action of the same name. */
export function isVersionAction(id: string, actions: ReadonlySet<string>): boolean {
  const dot = id.lastIndexOf('.')
  if (!versionActions.some((action) => action === id.slice(dot + 1))) return false
  return versionActions.every((action) => actions.has(`${id.slice(0, dot)}.${action}`))
}

/**
 * Returns `api::<api>.<type>.<action>`. Includes actions that `rest.only` removes from the router: other APIs
 * may serve them.
 */
export function listModelActions(
  model: Pick<Model, 'contentTypes'>,
  pluginActions: Iterable<string>,
): ReadonlySet<string> {
  const actions = new Set<string>()
  for (const type of ownTypes(model)) {
    for (const action of listActions(type)) actions.add(`${type.uid}.${action}`)
  }
  for (const action of pluginActions) actions.add(action)
  return actions
}

/** `article.find` for `api::article.article.find`, as files write it; other actions stay. */
export function shortenActionName(action: string): string {
  const [, api, type, name] = /^api::([^.]+)\.([^.]+)\.([^.]+)$/.exec(action) ?? []
  return api !== undefined && api === type ? `${type}.${name}` : action
}
