// The actions of the API: those that permissions can allow, and the shape of each operation.

import type { OwnRouteConfig } from '../config/config.ts'
import type { ContentType } from './content-type.ts'
import type { Model } from './model.ts'

export const generatedActions = {
  collectionType: ['find', 'findOne', 'create', 'update', 'delete'],
  singleType: ['find', 'update', 'delete'],
} as const

export const versionActions = ['publish', 'unpublish', 'discardDraft'] as const

export type VersionAction = (typeof versionActions)[number]

/** Operations on many entries in one transaction; Strapi does not have them. */
const manyActions = ['createMany', 'updateMany', 'deleteMany', 'upsert', 'upsertMany'] as const

export type ManyAction = (typeof manyActions)[number]

type ActionName =
  | (typeof generatedActions)['collectionType'][number]
  | VersionAction
  | ManyAction
  | 'createLocalization'

/** Operations under the permission of `find`. */
type SummaryName = 'aggregate' | 'count'

export type OperationName = ActionName | SummaryName

/** The members of a payload; `items` is a list of data, sent as `data`, too. */
type PayloadMember = 'data' | 'items' | 'filters' | 'on'

export interface OperationShape {
  readonly action: OperationName
  /** The action that callers must be allowed. */
  readonly permitted: ActionName
  readonly effect: 'read' | 'write' | 'summarize'
  readonly hasId: boolean
  readonly takes: readonly PayloadMember[]
  /** `entries`: the written entries and their number. */
  readonly output: 'list' | 'entry' | 'entries' | 'nothing' | 'groups' | 'number'
}

export function listOperationShapes(type: ContentType): readonly OperationShape[] {
  const ofEntries = listActions(type)
    .filter((action) => action !== 'createLocalization' || type.document === undefined)
    .map((action) => buildShape(type, action))
  return type.kind === 'collectionType' ? [...ofEntries, ...SUMMARIES] : ofEntries
}

export function takesData({ takes }: Pick<OperationShape, 'takes'>): boolean {
  return takes.includes('data') || takes.includes('items')
}

const summary = { permitted: 'find', effect: 'summarize', hasId: false, takes: [] } as const
const SUMMARIES: readonly OperationShape[] = [
  { ...summary, action: 'aggregate', output: 'groups' },
  { ...summary, action: 'count', output: 'number' },
]

export function ownTypes({ contentTypes }: Pick<Model, 'contentTypes'>): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
}

function listActions(type: ContentType): readonly ActionName[] {
  return [
    ...generatedActions[type.kind],
    ...(type.document?.versions === true ? versionActions : []),
    ...(type.localized ? (['createLocalization'] as const) : []),
    ...(type.kind === 'collectionType' ? manyActions : []),
  ]
}

const PAYLOADS: Readonly<Partial<Record<ActionName, readonly PayloadMember[]>>> = {
  create: ['data'],
  update: ['data'],
  createLocalization: ['data'],
  createMany: ['items'],
  updateMany: ['filters', 'data'],
  deleteMany: ['filters'],
  upsert: ['data', 'on'],
  upsertMany: ['items', 'on'],
}
const MANY: ReadonlySet<ActionName> = new Set(manyActions)
const READS: ReadonlySet<ActionName> = new Set(['find', 'findOne'])
const WITHOUT_ID: ReadonlySet<ActionName> = new Set(['find', 'create', ...manyActions])

type ActionShape = Pick<OperationShape, 'effect' | 'hasId' | 'takes'>

function getActionShape(action: ActionName): ActionShape {
  return {
    effect: READS.has(action) ? 'read' : 'write',
    hasId: !WITHOUT_ID.has(action),
    takes: PAYLOADS[action] ?? [],
  }
}

const RULED: ReadonlySet<string> = new Set<ActionName>([
  ...generatedActions.collectionType,
  ...manyActions,
  'createLocalization',
])

/** Undefined for an action that takes no rules: those of versions and of plugins. */
export function findRuledAction(name: string): ActionShape | undefined {
  return RULED.has(name) ? getActionShape(name as ActionName) : undefined
}

function buildShape({ kind, document }: ContentType, action: ActionName): OperationShape {
  const single = kind === 'singleType'
  const shape = getActionShape(action)
  return {
    ...shape,
    action,
    permitted: action,
    hasId: !single && shape.hasId,
    output: getOutput(action, single, document !== undefined),
  }
}

function getOutput(action: ActionName, single: boolean, isDocument: boolean): OperationShape['output'] {
  if (MANY.has(action)) return 'entries'
  if (action === 'find' && !single) return 'list'
  return action === 'delete' && isDocument ? 'nothing' : 'entry'
}

/**
 * Whether a permission for all actions, such as `article.*`, leaves the action out: Strapi does not have it. False for a
 * program's own action of the same name.
 */
export function isLeftOut(id: string, actions: ReadonlySet<string>): boolean {
  const dot = id.lastIndexOf('.')
  return [versionActions, manyActions].some(
    (group: readonly string[]) =>
      group.includes(id.slice(dot + 1)) && group.every((one) => actions.has(`${id.slice(0, dot)}.${one}`)),
  )
}

/**
 * Returns `api::<api>.<type>.<action>`. Includes actions that `rest.only` removes from the router: other APIs
 * may serve them.
 */
export function listModelActions(
  model: Pick<Model, 'contentTypes'>,
  pluginActions: Iterable<string>,
  routes: readonly Pick<OwnRouteConfig, 'permission'>[] = [],
): ReadonlySet<string> {
  const actions = new Set<string>()
  for (const type of ownTypes(model)) {
    for (const action of listActions(type)) actions.add(`${type.uid}.${action}`)
  }
  for (const action of pluginActions) actions.add(action)
  for (const { permission } of routes) if (permission !== undefined) actions.add(permission)
  return actions
}

/** `article.find` for `api::article.article.find`, as files write it; other actions stay. */
export function shortenActionName(action: string): string {
  const [, api, type, name] = /^api::([^.]+)\.([^.]+)\.([^.]+)$/.exec(action) ?? []
  return api !== undefined && api === type ? `${type}.${name}` : action
}
